"""A guest of a meeting, whom the visitor has invited, and the rate by which a payout was compared with the threshold"""

import sqlalchemy as sa

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    # With a default of the database's: the release before writes rows that do not name this column.
    op.add_column("meeting", sa.Column("guest_email", sa.String(), nullable=False, server_default=""))
    op.add_column("payout", sa.Column("rate", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("payout", "rate")
    op.drop_column("meeting", "guest_email")
