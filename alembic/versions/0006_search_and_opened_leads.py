"""The texts that the office searches, and who has opened which lead"""

import sqlalchemy as sa

from alembic import op

revision = "0006"
down_revision = "0005"

_SEARCHED = ("lead", "meeting", "attachment", "note")


def upgrade() -> None:
    for table in _SEARCHED:
        # With a server default, because the previous release inserts rows without this column. The sweep fills it in.
        op.add_column(table, sa.Column("folded", sa.String(), nullable=False, server_default=""))
    op.create_table(
        "opened_lead",
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("reference", "person", name=op.f("pk_opened_lead")),
    )


def downgrade() -> None:
    op.drop_table("opened_lead")
    for table in _SEARCHED:
        op.drop_column(table, "folded")
