"""Where the visitor of a lead or meeting came from"""

import sqlalchemy as sa

from alembic import op

revision = "0007"
down_revision = "0006"

_TABLES = ("lead", "meeting")


def upgrade() -> None:
    for table in _TABLES:
        # With a default of the database's: the release before writes rows that do not name this column.
        op.add_column(table, sa.Column("attribution", sa.JSON(), nullable=False, server_default="{}"))


def downgrade() -> None:
    for table in _TABLES:
        op.drop_column(table, "attribution")
