"""Exports what is stored about a partner, as the law entitles persons to get: about their customers no more than the partner's page shows."""

from datetime import date
from typing import Any

from sqlmodel import Session, col, select

from site_app.core.settings import Settings
from site_app.provider.affiliates.ledger import (
    Balance,
    CommissionLine,
    ReferralFacts,
    Statement,
    add_months,
    standing,
)
from site_app.provider.affiliates.mails import share_urls
from site_app.provider.affiliates.payments import PartnerBook, book_of
from site_app.provider.affiliates.program import partners_of
from site_app.provider.affiliates.statements import has_movement
from site_app.provider.affiliates.terms import terms_of
from site_app.provider.store.tables import AffiliateEntry, Partner, Payout

PartnerRecord = dict[str, Any]
_FIELDS = (
    "code",
    "application",
    "name",
    "email",
    "paypal",
    "language",
    "state",
    "terms_version",
    "applied_at",
    "approved_on",
    "notice_on",
    "ends_on",
)
# Entries of the log with invoice numbers and terms of a customer's contract.
_ABOUT_PAYMENTS = frozenset(["payment", "correct payment"])


def partner_records(session: Session, email: str, *, settings: Settings, today: date) -> list[PartnerRecord]:
    """Returns the record of each partner who has this email address, which is in lower case, or applied with it."""
    return [_record(session, partner, settings, today) for partner in partners_of(session, email)]


def _record(session: Session, partner: Partner, settings: Settings, today: date) -> PartnerRecord:
    book = book_of(session, partner)
    return {name: getattr(partner, name) for name in _FIELDS} | {
        "terms_in_force": terms_of(session, partner, today, settings=settings).in_force,
        "links": share_urls(partner.code, settings)._asdict(),
        "referrals": [_referral(referral, book, today) for referral in book.referrals],
        "statements": _statements(book, today),
        "payouts": [_payout(payout) for payout in sorted(book.payouts, key=lambda payout: (payout.month, payout.currency))],
        "log": _log(session, partner),
    }


def _referral(referral: ReferralFacts, book: PartnerBook, today: date) -> dict[str, Any]:
    return {
        "reference": referral.reference,
        "first_submission_on": referral.first_submission_on,
        "standing": standing(referral, book.payments, today, ends_on=book.partner.ends_on),
    }


def _statements(book: PartnerBook, today: date) -> list[dict[str, Any]]:
    """Returns the statements of all months in which something happened, oldest first."""
    statements = []
    month = book.partner.approved_on.replace(day=1)
    while month <= today:
        statements.append(book.statement(month))
        month = add_months(month, 1)
    return [_statement(statement) for statement in statements if statement.lines or any(map(has_movement, statement.balances))]


def _statement(statement: Statement) -> dict[str, Any]:
    return {
        "month": f"{statement.month:%Y-%m}",
        "payments": [_line(line) for line in statement.lines],
        "balances": [_balance(balance) for balance in statement.balances if has_movement(balance)],
    }


def _line(line: CommissionLine) -> dict[str, Any]:
    return {
        "referral": line.referral,
        "currency": line.currency,
        "net": line.net,
        "commission": line.commission,
        "reason": line.reason,
        "pay_by": line.pay_by,
    }


def _balance(balance: Balance) -> dict[str, Any]:
    return {
        "currency": balance.currency,
        "carried_in": balance.carried_in,
        "earned": balance.earned,
        "payout": balance.payout,
        "is_paid": balance.is_paid,
        "pay_by": balance.pay_by,
        "carry_reason": balance.carry_reason,
        "forfeited": balance.forfeited,
        "carried_out": balance.carried_out,
    }


def _payout(payout: Payout) -> dict[str, Any]:
    return {
        "month": f"{payout.month:%Y-%m}",
        "currency": payout.currency,
        "amount": payout.amount,
        "rate": payout.rate,
        "paid_on": payout.paid_on,
    }


def _log(session: Session, partner: Partner) -> list[dict[str, Any]]:
    entries = session.exec(
        select(AffiliateEntry).where(AffiliateEntry.partner_id == partner.id).order_by(col(AffiliateEntry.id))
    )
    return [_log_entry(entry) for entry in entries]


def _log_entry(entry: AffiliateEntry) -> dict[str, Any]:
    event = {"at": entry.at, "person": entry.person, "action": entry.action}
    if entry.action in _ABOUT_PAYMENTS:
        return event
    return event | {"subject": entry.subject, "before": entry.before, "after": entry.after}
