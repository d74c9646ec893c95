"""Count mails by mailbox, and calls and holds by network"""

import sqlalchemy as sa

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # With a default, so that a release that is put back can still write.
    op.add_column("outbox", sa.Column("mailbox", sa.String(), nullable=False, server_default=""))
    op.create_index(op.f("ix_outbox_mailbox"), "outbox", ["mailbox"], unique=False)
    op.add_column("manage_link", sa.Column("mailed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("booking_cell", sa.Column("network", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("booking_cell", "network")
    op.drop_column("manage_link", "mailed")
    op.drop_index(op.f("ix_outbox_mailbox"), "outbox")
    op.drop_column("outbox", "mailbox")
