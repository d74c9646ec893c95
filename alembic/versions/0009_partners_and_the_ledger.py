"""The affiliate program: partners, referrals, payments of customers, payouts, and who changed what"""

import sqlalchemy as sa

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "partner",
        sa.Column("id", sa.Integer(), nullable=False),
        *map(_text, ("code", "application", "name", "email", "paypal", "language", "state", "terms_version")),
        sa.Column("applied_at", sa.DateTime(timezone=True), nullable=False),
        _day("approved_on"),
        _day("notice_on", nullable=True),
        _day("ends_on", nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_partner")),
        sa.UniqueConstraint("code", name=op.f("uq_partner_code")),
        sa.UniqueConstraint("application", name=op.f("uq_partner_application")),
    )
    op.create_table(
        "partner_link",
        _text("token_hash"),
        _partner(),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_partner_link")),
        _to_partner("partner_link", ondelete="CASCADE"),
    )
    op.create_table(
        "referral",
        sa.Column("id", sa.Integer(), nullable=False),
        _text("lead"),
        _partner(),
        _day("first_submission_on"),
        _text("state"),
        _day("prior_contact_on", nullable=True),
        _text("resemblance"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_referral")),
        sa.UniqueConstraint("lead", name=op.f("uq_referral_lead")),
        _to_partner("referral"),
    )
    op.create_table(
        "customer_payment",
        sa.Column("id", sa.Integer(), nullable=False),
        *map(_text, ("reference", "lead", "net", "currency", "billing")),
        *map(_day, ("due_on", "contract_on")),
        sa.Column("term_months", sa.Integer(), nullable=True),
        *(_day(name, nullable=True) for name in ("received_on", "reversed_on", "repaid_on")),
        _text("repaid"),
        sa.CheckConstraint("(repaid_on IS NULL) = (repaid = '0')", name=op.f("ck_customer_payment_repaid_on_a_day")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_customer_payment")),
        sa.UniqueConstraint("reference", name=op.f("uq_customer_payment_reference")),
        sa.ForeignKeyConstraint(["lead"], ["referral.lead"], name=op.f("fk_customer_payment_lead_referral")),
    )
    op.create_table(
        "payout",
        _day("month"),
        _partner(),
        *map(_text, ("currency", "amount")),
        _day("paid_on"),
        sa.PrimaryKeyConstraint("month", "partner_id", "currency", name=op.f("pk_payout")),
        _to_partner("payout"),
    )
    op.create_table(
        "affiliate_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        *map(_text, ("person", "action")),
        _partner(),
        *map(_text, ("subject", "before", "after")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_affiliate_entry")),
        _to_partner("affiliate_entry"),
    )
    for table, column in _INDEXED:
        op.create_index(op.f(f"ix_{table}_{column}"), table, [column])


def downgrade() -> None:
    for table in ("affiliate_entry", "payout", "customer_payment", "referral", "partner_link", "partner"):
        op.drop_table(table)


_INDEXED = (
    ("partner_link", "partner_id"),
    ("referral", "partner_id"),
    ("customer_payment", "lead"),
    ("affiliate_entry", "at"),
    ("affiliate_entry", "partner_id"),
)


def _text(name: str) -> sa.Column:
    return sa.Column(name, sa.String(), nullable=False)


def _day(name: str, *, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sa.Date(), nullable=nullable)


def _partner() -> sa.Column:
    return sa.Column("partner_id", sa.Integer(), nullable=False)


def _to_partner(table: str, *, ondelete: str | None = None) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["partner_id"], ["partner.id"], name=op.f(f"fk_{table}_partner_id_partner"), ondelete=ondelete
    )
