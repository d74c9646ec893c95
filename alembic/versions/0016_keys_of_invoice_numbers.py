"""The key by which a payment is found, however the number of its invoice is spelled"""

import unicodedata

import sqlalchemy as sa

from alembic import op

revision = "0016"
down_revision = "0015"

_PAYMENTS = sa.table("customer_payment", sa.column("id"), sa.column("reference"), sa.column("reference_key"))


def upgrade() -> None:
    # With a default of the database's: the release before writes rows that do not name this column.
    op.add_column("customer_payment", sa.Column("reference_key", sa.String(), nullable=False, server_default=""))
    # Not unique: releases before may have stored one number in two spellings.
    op.create_index(op.f("ix_customer_payment_reference_key"), "customer_payment", ["reference_key"])
    execute = op.get_bind().execute
    for number, reference in execute(sa.select(_PAYMENTS.c.id, _PAYMENTS.c.reference)).all():
        key = unicodedata.normalize("NFKC", reference).casefold()
        execute(_PAYMENTS.update().where(_PAYMENTS.c.id == number).values(reference_key=key))


def downgrade() -> None:
    op.drop_index(op.f("ix_customer_payment_reference_key"), "customer_payment")
    op.drop_column("customer_payment", "reference_key")
