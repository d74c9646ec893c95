"""The owner's decision that earlier contacts with a referred customer were about no project"""

import sqlalchemy as sa

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.add_column("referral", sa.Column("no_project_until", sa.Date(), nullable=True))


def downgrade() -> None:
    op.drop_column("referral", "no_project_until")
