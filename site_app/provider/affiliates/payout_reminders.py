"""The reminder to the owners of commission that must be paid soon, once for each amount."""

import secrets
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import partial

from sqlmodel import Session, col, select

from site_app.core.i18n.clocks import date_words
from site_app.core.locales import ENGLISH
from site_app.core.settings import Settings
from site_app.core.settings.rules import OWNER
from site_app.provider.affiliates.ledger import CarryReason, Statement, add_months, last_day
from site_app.provider.affiliates.payments import BOOKS_AT_ONCE, PartnerBook, books_by_id, partners_with_payment
from site_app.provider.affiliates.program import SITE, log_change
from site_app.provider.affiliates.statements import money, month_words
from site_app.provider.outbox.mail import Fact, Fields, MailLink, MailText
from site_app.provider.outbox.rows import TEAM, Template, mail_row
from site_app.provider.store import Store, advisory_lock, insert_rows
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import AffiliateEntry, NewOutbox, Outbox, Partner

_PAYOUTS_DUE = "payouts-due"
REMIND_BEFORE = timedelta(days=5)
_MONTHS_BACK = 3  # months whose statements are read; older amounts have had their reminder long ago
REMINDED = "remind of payout"


@dataclass(frozen=True)
class DueAmount:
    """An amount of a month that is not paid, or not paid yet: a month that was paid may have got more entries.

    `needs_rate`: it may be below the threshold, which only a rate can tell. `is_carried`: no payment was received in the month.
    """

    partner: Partner
    month: date
    currency: str
    amount: Decimal
    pay_by: date
    needs_rate: bool
    is_carried: bool
    payouts_before: int = 0  # for the same month

    @property
    def subject(self) -> str:
        """Returns the text by which the log knows this amount. It sorts by month, and ends with the currency."""
        further = f"+{self.payouts_before}" if self.payouts_before else ""
        return f"{self.month:%Y-%m}{further} {self.currency}"


async def remind_of_payouts(store: Store, settings: Settings, now: datetime) -> None:
    """Adds one mail to each owner about the amounts that must be paid within REMIND_BEFORE and were in no such mail yet."""
    candidates = sorted(await store.read(lambda session: session.exec(partners_with_payment().distinct()).all()))
    due: list[DueAmount] = []
    for start in range(0, len(candidates), BOOKS_AT_ONCE):
        part = candidates[start : start + BOOKS_AT_ONCE]
        due += await store.read(partial(_not_reminded, partner_ids=part, today=settings.local_day(now)))
    if partner_ids := sorted({amount.partner.id or 0 for amount in due}):
        await store.write(lambda session: _remind(session, partner_ids, settings=settings, now=now))


def _remind(session: Session, partner_ids: Sequence[int], *, settings: Settings, now: datetime) -> None:
    advisory_lock(session, "payout reminder")  # the amounts are looked up again, because another process may have been faster
    due = _not_reminded(session, partner_ids, settings.local_day(now))
    if not due:
        return
    insert_rows(session, Outbox, _rows(due, settings=settings, now=now))
    for amount in due:
        log_change(session, amount.partner, Actor(SITE, now), REMINDED, amount.subject, after=str(amount.pay_by))


def _not_reminded(session: Session, partner_ids: Sequence[int], today: date) -> list[DueAmount]:
    """Returns for each partner and currency the earliest amount that is due soon and was in no reminder yet."""
    due_soon = [
        (book, amounts)
        for book in books_by_id(session, partner_ids)
        if (amounts := [amount for amount in due_amounts(book, today) if amount.pay_by <= today + REMIND_BEFORE])
    ]
    log = select(AffiliateEntry.partner_id, AffiliateEntry.subject).where(
        AffiliateEntry.action == REMINDED, col(AffiliateEntry.partner_id).in_([book.partner.id for book, _ in due_soon])
    )
    subjects: dict[int | None, set[str]] = defaultdict(set)
    for partner_id, subject in session.exec(log):
        subjects[partner_id].add(subject)
    due: list[DueAmount] = []
    for book, amounts in due_soon:
        open_amounts = [amount for amount in amounts if not _was_reminded(amount, subjects[book.partner.id], book)]
        due += {amount.currency: amount for amount in reversed(open_amounts)}.values()
    return due


def _was_reminded(amount: DueAmount, subjects: Collection[str], book: PartnerBook) -> bool:
    """Returns True if a reminder named this amount, or, if it was only carried over, named it in an earlier month."""
    if amount.subject in subjects or not amount.is_carried:
        return amount.subject in subjects
    last_paid = max(
        (f"{payout.month:%Y-%m} {payout.currency}" for payout in book.payouts if payout.currency == amount.currency), default=""
    )
    return any(last_paid < subject < amount.subject for subject in subjects if subject.endswith(amount.currency))


def due_amounts(book: PartnerBook, today: date) -> list[DueAmount]:
    """Returns the months of which something is not paid, oldest first.

    A later month carries in what the earlier ones left unpaid, and is returned only if payments were received in it.
    """
    due: list[DueAmount] = []
    for months_back in range(_MONTHS_BACK, -1, -1):
        month = add_months(today.replace(day=1), -months_back)
        if last_day(month) < book.partner.approved_on:
            continue
        statement = book.statement(month)
        for balance in statement.balances:
            needs_rate = balance.carry_reason is CarryReason.NO_RATE
            is_due = needs_rate or balance.due > 0
            pay_by = balance.pay_by if balance.is_paid else _first_pay_by(statement, balance.currency)
            is_carried = pay_by is None
            is_listed = any(earlier.currency == balance.currency for earlier in due)
            if not is_due or (is_carried and is_listed):
                continue
            if not is_listed:  # otherwise the earlier month names the day for what is carried in
                pay_by = balance.pay_by or pay_by
            # What was only carried in and waits for a rate is due by the month's end.
            due.append(
                DueAmount(
                    book.partner,
                    month,
                    balance.currency,
                    balance.due or balance.carried_in + balance.earned,
                    pay_by or last_day(month),
                    needs_rate=needs_rate,
                    is_carried=is_carried,
                    payouts_before=balance.payout_count,
                )
            )
    return due


def _first_pay_by(statement: Statement, currency: str) -> date | None:
    return min((line.pay_by for line in statement.lines if line.currency == currency and line.pay_by), default=None)


def _rows(due: list[DueAmount], *, settings: Settings, now: datetime) -> list[NewOutbox]:
    owners = [name.removesuffix(f":{OWNER}") for name in settings.office if name.endswith(f":{OWNER}")]
    fields = {
        "reference": f"payouts-{secrets.token_hex(8)}",
        "amounts": [
            {
                "partner": amount.partner.name or amount.partner.code,
                "month": str(amount.month),
                "currency": amount.currency,
                "amount": str(amount.amount),
                "pay_by": str(amount.pay_by),
                "needs_rate": amount.needs_rate,
            }
            for amount in due
        ],
    }
    return [
        mail_row(_PAYOUTS_DUE, fields, owner, ENGLISH.id, settings=settings, now=now, edition=number)
        for number, owner in enumerate(owners or [TEAM])
    ]


def reminder_text(fields: Fields, settings: Settings) -> MailText:
    amounts = fields["amounts"]
    first = min(date.fromisoformat(amount["pay_by"]) for amount in amounts)
    month = min(amount["month"] for amount in amounts)[:7]
    title = f"Commission to pay by {date_words(first)}"
    return MailText(
        subject=title,
        heading=title,
        opening=("Please pay these commissions by the dates below.",),
        facts=tuple(_fact(amount) for amount in amounts),
        action=MailLink("Open the month in the office", f"{settings.office_origins[0]}/office/affiliates?month={month}")
        if settings.office
        else None,
        closing=(
            "You’ll get only one reminder about each amount."
            + (" Once it is paid, mark it as paid in the office." if settings.office else ""),
        ),
    )


def _fact(amount: Fields) -> Fact:
    words = f"{money(Decimal(amount['amount']), amount['currency'])} by {date_words(date.fromisoformat(amount['pay_by']))}"
    if amount["needs_rate"]:
        words += ", if at that day’s rate it has reached the threshold for a first payout"
    return Fact(f"{amount['partner']}, {month_words(date.fromisoformat(amount['month']))}", words)


TEMPLATES = {_PAYOUTS_DUE: Template(reminder_text, to_team=True, has_lead=False)}
