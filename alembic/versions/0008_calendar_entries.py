"""The entries of meetings in the host's calendar, and which calendar a busy time is from"""

import sqlalchemy as sa

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    # With a default of the database's: the release before writes busy times that do not name this column.
    op.add_column("busy_time", sa.Column("calendar", sa.String(), nullable=False, server_default=""))
    op.create_table(
        "calendar_entry",
        sa.Column("uid", sa.String(), nullable=False),
        sa.Column("meeting_id", sa.Integer(), nullable=False),
        sa.Column("href", sa.String(), nullable=False),
        sa.Column("etag", sa.String(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("difference", sa.String(), nullable=False),
        sa.Column("host_starts_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["meeting_id"], ["meeting.id"], name=op.f("fk_calendar_entry_meeting_id_meeting"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("uid", name=op.f("pk_calendar_entry")),
    )
    op.create_index(op.f("ix_calendar_entry_meeting_id"), "calendar_entry", ["meeting_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_calendar_entry_meeting_id"), "calendar_entry")
    op.drop_table("calendar_entry")
    op.drop_column("busy_time", "calendar")
