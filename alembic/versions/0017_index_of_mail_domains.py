"""An index of mail domains, by which a referral is compared with all others of its company"""

import sqlalchemy as sa

from alembic import op

revision = "0017"
down_revision = "0016"

_DOMAIN = "ltrim(lower(email), 'abcdefghijklmnopqrstuvwxyz0123456789.!#$&''*+/=?^_`{|}~-%')"


def upgrade() -> None:
    for table in ("lead", "meeting"):
        op.create_index(f"ix_{table}_mail_domain", table, [sa.literal_column(_DOMAIN)])


def downgrade() -> None:
    for table in ("lead", "meeting"):
        op.drop_index(f"ix_{table}_mail_domain", table)
