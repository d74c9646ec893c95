"""The language and the host of a call; a quarter hour can be taken once for each host"""

import sqlalchemy as sa

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    # With a default of the database's: the release before writes rows that do not name these columns.
    op.add_column("meeting", sa.Column("call_language", sa.String(), nullable=False, server_default="en"))
    op.add_column("meeting", sa.Column("host", sa.String(), nullable=False, server_default=""))
    op.add_column("hold", sa.Column("call_language", sa.String(), nullable=False, server_default="en"))
    op.add_column("booking_cell", sa.Column("host", sa.String(), nullable=False, server_default=""))
    _set_key("starts_at", "host")


def downgrade() -> None:
    # The release before knows one host: a quarter hour that several have taken stays taken by one of them.
    op.execute(
        "DELETE FROM booking_cell WHERE EXISTS (SELECT 1 FROM booking_cell AS other "
        "WHERE other.starts_at = booking_cell.starts_at AND other.host < booking_cell.host)"
    )
    _set_key("starts_at")
    op.drop_column("booking_cell", "host")
    op.drop_column("hold", "call_language")
    op.drop_column("meeting", "host")
    op.drop_column("meeting", "call_language")


def _set_key(*columns: str) -> None:
    if op.get_bind().dialect.name != "sqlite":
        op.drop_constraint(op.f("pk_booking_cell"), "booking_cell", type_="primary")
        op.create_primary_key(op.f("pk_booking_cell"), "booking_cell", [*columns])
        return
    # SQLite cannot change a key, so the table is made anew.
    op.drop_index(op.f("ix_booking_cell_meeting_id"), "booking_cell")
    op.drop_index(op.f("ix_booking_cell_hold_id"), "booking_cell")
    op.create_table(
        "new_booking_cell",
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("meeting_id", sa.Integer(), nullable=True),
        sa.Column("hold_id", sa.String(), nullable=True),
        sa.Column("network", sa.String(), nullable=False, server_default=""),
        sa.Column("host", sa.String(), nullable=False, server_default=""),
        sa.CheckConstraint("(hold_id IS NULL) = (expires_at IS NULL)", name=op.f("ck_booking_cell_only_holds_expire")),
        sa.CheckConstraint("(meeting_id IS NULL) <> (hold_id IS NULL)", name=op.f("ck_booking_cell_one_owner")),
        sa.ForeignKeyConstraint(["hold_id"], ["hold.id"], name=op.f("fk_booking_cell_hold_id_hold"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["meeting_id"], ["meeting.id"], name=op.f("fk_booking_cell_meeting_id_meeting"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint(*columns, name=op.f("pk_booking_cell")),
    )
    names = "starts_at, expires_at, meeting_id, hold_id, network, host"
    op.execute(f"INSERT INTO new_booking_cell ({names}) SELECT {names} FROM booking_cell")  # noqa: S608  only names
    op.drop_table("booking_cell")
    op.rename_table("new_booking_cell", "booking_cell")
    op.create_index(op.f("ix_booking_cell_meeting_id"), "booking_cell", ["meeting_id"])
    op.create_index(op.f("ix_booking_cell_hold_id"), "booking_cell", ["hold_id"])
