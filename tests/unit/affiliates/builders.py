"""An agreement, a referral and its payments that earn commission as they stand; a test changes what it is about."""

from datetime import date
from decimal import Decimal
from typing import Any

from site_app.provider.affiliates.ledger import Agreement, Billing, PartnerPayout, PaymentFacts, ReferralFacts

APPROVED, SUBMITTED, RECEIVED = date(2026, 1, 5), date(2026, 1, 20), date(2026, 2, 10)
FEBRUARY, MARCH = date(2026, 2, 1), date(2026, 3, 1)
AGREEMENT = Agreement(APPROVED)


def a_referral(reference: str = "Q-1", **changes: Any) -> ReferralFacts:
    return ReferralFacts(**{"reference": reference, "first_submission_on": SUBMITTED} | changes)


def a_payment(net: str = "1000", **changes: Any) -> PaymentFacts:
    standard = {
        "reference": "P-1",
        "referral": "Q-1",
        "net": Decimal(net),
        "currency": "GBP",
        "billing": Billing.MONTHLY,
        "due_on": date(2026, 2, 1),
        "contract_on": date(2026, 2, 1),
        "received_on": RECEIVED,
    }
    return PaymentFacts(**standard | changes)


def a_payout(amount: str = "200", month: date = FEBRUARY, currency: str = "GBP") -> PartnerPayout:
    return PartnerPayout(month, currency, Decimal(amount))
