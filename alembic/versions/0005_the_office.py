"""The agency's own pages: who signs in, what they write about a lead, and who changed what"""

import sqlalchemy as sa

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_HANDLED = ("lead", "meeting")
_FILTERED = ("status", "kind")


def upgrade() -> None:
    for table in _HANDLED:
        # With a default of the database's: the release before writes rows that do not name these columns.
        op.add_column(table, sa.Column("owner", sa.String(), nullable=False, server_default=""))
        op.add_column(table, sa.Column("version", sa.Integer(), nullable=False, server_default="0"))
    for column in _FILTERED:
        op.create_index(op.f(f"ix_lead_{column}_created_at"), "lead", [column, "created_at"], unique=False)
    _create("sign_in_link", _text("token_hash"), _text("person"), _instant("expires_at"), key="token_hash", by=["expires_at"])
    _create(
        "office_session",
        *(_text(name) for name in ("token_hash", "person", "browser")),
        _instant("created_at"),
        _instant("seen_at"),
        key="token_hash",
        by=["created_at", "person"],
    )
    _create(
        "note",
        sa.Column("id", sa.Integer(), nullable=False),
        *(_text(name) for name in ("reference", "person", "text")),
        _instant("written_at"),
        sa.Column("held", sa.Boolean(), nullable=False),
        key="id",
        by=["reference"],
    )
    _create(
        "audit_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        _instant("at"),
        *(_text(name) for name in ("person", "action", "reference", "before", "after")),
        key="id",
        by=["at", "reference"],
    )


def downgrade() -> None:
    for table in ("audit_entry", "note", "office_session", "sign_in_link"):
        op.drop_table(table)
    for column in _FILTERED:
        op.drop_index(op.f(f"ix_lead_{column}_created_at"), table_name="lead")
    for table in _HANDLED:
        with op.batch_alter_table(table) as altered:
            altered.drop_column("version")
            altered.drop_column("owner")


def _create(name: str, *columns: sa.Column, key: str, by: list[str]) -> None:
    op.create_table(name, *columns, sa.PrimaryKeyConstraint(key, name=op.f(f"pk_{name}")))
    for column in by:
        op.create_index(op.f(f"ix_{name}_{column}"), name, [column], unique=False)


def _text(name: str) -> sa.Column:
    return sa.Column(name, sa.String(), nullable=False)


def _instant(name: str) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)
