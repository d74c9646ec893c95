"""How the office says where a referral stands, and why a payment earns less, a balance is carried over, or new terms do not apply."""

from site_app.core import business
from site_app.provider.affiliates.ledger import CarryReason, Reason, Standing
from site_app.provider.affiliates.terms import Exclusion


def first_years(count: int) -> str:
    return "the first year" if count == 1 else f"the first {count} years"


STANDINGS = {
    Standing.OPEN: "can still become a customer",
    Standing.CUSTOMER: "is a customer",
    Standing.EXPIRED: "did not become a customer in time",
    Standing.PRIOR_CONTACT: "does not count: you were in contact shortly before",
    Standing.EARLIER_CUSTOMER: "does not count: was already a customer",
    Standing.DECLINED: "does not count: you decided so",
}
REASONS = {
    Reason.NOT_RECEIVED: "not received yet",
    Reason.UNPAID: f"not paid within {business.UNPAID_DAYS} days of the due date",
    Reason.DECLINED: "you decided that the referral does not count",
    Reason.PRIOR_CONTACT: "you were in contact with the customer shortly before",
    Reason.EARLIER_CUSTOMER: "the customer was already yours",
    Reason.LATE_CUSTOMER: "the contract or the first payment came too late",
    Reason.SHORT_SUBSCRIPTION: "the subscription is too short",
    Reason.AFTER_FIRST_YEARS: f"contract of several years: no commission after {first_years(business.COMMISSION_YEARS)}",
    Reason.BEFORE_APPROVAL: "received before the partner joined",
    Reason.AFTER_END: "received after the agreement ended",
    Reason.REPAID: "paid back to the customer, in whole or in part",
}
CARRY_REASONS = {
    CarryReason.BELOW_THRESHOLD: "below the threshold of the first payout",
    CarryReason.NO_RATE: "enter a rate for this currency",
    CarryReason.NEGATIVE: "refunds exceed the commission",
    CarryReason.PAID_LATER: "paid with a later month",
    CarryReason.FORFEITED: "forfeited because of a breach",
}
EXCLUSIONS = {
    Exclusion.NOTICE: "which do not apply: the partner gave notice before their day",
    Exclusion.END: "which do not apply: the agreement ends before their day",
}
PAYMENT_LABELS = {
    "reference": "Invoice",
    "lead": "Lead",
    "net": "Net",
    "currency": "Currency",
    "due_on": "Due",
    "contract_on": "Contract signed",
    "term_months": "Term in months",
    "received_on": "Received",
    "reversed_on": "Reversed by the bank",
    "repaid_on": "Paid back on",
    "repaid": "Amount paid back, net",
    "billing": "Billed",
}
