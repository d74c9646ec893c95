"""The reminder of commission that must be paid soon: one mail to the owners for each amount, in English like the office."""

import secrets
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import partial

from sqlmodel import Session, col, select

from site_app.core.i18n import ENGLISH
from site_app.core.i18n.clocks import date_words
from site_app.core.settings import Settings
from site_app.core.settings.rules import OWNER
from site_app.provider.affiliates.ledger import Balance, CarryReason, Statement, add_months, last_day
from site_app.provider.affiliates.payments import statement_of
from site_app.provider.affiliates.program import SITE, log_change
from site_app.provider.affiliates.statements import money, month_words
from site_app.provider.outbox.mime import Fact, Fields, MailLink, MailText
from site_app.provider.outbox.rows import PAYOUTS_DUE, Template, mail_row
from site_app.provider.store import Store, advisory_lock, insert_rows
from site_app.provider.store.tables import AffiliateEntry, NewOutbox, Outbox, Partner

REMIND_BEFORE = timedelta(days=5)
_MONTHS_BACK = 3  # statements that are looked at; what is due in them has been reminded of long before
_REMINDED = "remind of payout"


@dataclass(frozen=True)
class DueAmount:
    """An amount of a month that is not paid. `needs_rate`: it may be below the threshold, which only a rate can tell."""

    partner: Partner
    month: date
    currency: str
    amount: Decimal
    pay_by: date
    needs_rate: bool

    @property
    def subject(self) -> str:
        return f"{self.month:%Y-%m} {self.currency}"


async def remind_of_payouts(store: Store, settings: Settings, now: datetime) -> None:
    """Adds one mail to each owner about the amounts that must be paid within REMIND_BEFORE and were in no such mail yet."""
    if await store.read(partial(_not_reminded, today=now.date())):
        await store.write(lambda session: _remind(session, settings=settings, now=now))


def _remind(session: Session, *, settings: Settings, now: datetime) -> None:
    advisory_lock(session, "payout reminder")  # the amounts are looked up again, because another process may have been faster
    due = _not_reminded(session, now.date())
    if not due:
        return
    insert_rows(session, Outbox, _rows(due, settings, now))
    for amount in due:
        log_change(session, amount.partner, SITE, _REMINDED, amount.subject, after=str(amount.pay_by), now=now)


def _not_reminded(session: Session, today: date) -> list[DueAmount]:
    partners = session.exec(select(Partner).order_by(col(Partner.id))).all()
    due_soon = [
        amount
        for partner in partners
        for amount in due_amounts(session, partner, today)
        if amount.pay_by <= today + REMIND_BEFORE
    ]
    reminded = set(
        session.exec(
            select(AffiliateEntry.partner_id, AffiliateEntry.subject).where(
                AffiliateEntry.action == _REMINDED,
                col(AffiliateEntry.partner_id).in_({amount.partner.id for amount in due_soon}),
            )
        )
    )
    return [amount for amount in due_soon if (amount.partner.id, amount.subject) not in reminded]


def due_amounts(session: Session, partner: Partner, today: date) -> list[DueAmount]:
    """Returns for each currency the earliest month of which something is not paid. Later months carry it in."""
    due: dict[str, DueAmount] = {}
    for months_back in range(_MONTHS_BACK, -1, -1):
        month = add_months(today.replace(day=1), -months_back)
        if last_day(month) < partner.approved_on:
            continue
        statement = statement_of(session, partner, month)
        for balance in statement.balances:
            needs_rate = balance.hold is CarryReason.NO_RATE
            if (balance.payout > 0 and not balance.is_paid) or needs_rate:
                amount = balance.carried_in + balance.earned
                pay_by = _pay_by(statement, balance)
                due.setdefault(balance.currency, DueAmount(partner, month, balance.currency, amount, pay_by, needs_rate))
    return list(due.values())


def _pay_by(statement: Statement, balance: Balance) -> date:
    """Returns the earliest day in the statement, or the month's end for what was only carried over, such as when an agreement ends."""
    lines = [line.pay_by for line in statement.lines if line.currency == balance.currency and line.pay_by]
    return min(lines, default=last_day(statement.month))


def _rows(due: list[DueAmount], settings: Settings, now: datetime) -> list[NewOutbox]:
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
        mail_row(PAYOUTS_DUE, fields, owner, ENGLISH.id, settings=settings, now=now, edition=number)
        for number, owner in enumerate(owners or [settings.mail_team or settings.brand_email])
    ]


def reminder_text(fields: Fields, settings: Settings) -> MailText:
    amounts = fields["amounts"]
    first = min(date.fromisoformat(amount["pay_by"]) for amount in amounts)
    month = min(amount["month"] for amount in amounts)[:7]
    title = f"Commission to pay by {date_words(first)}"
    return MailText(
        subject=title,
        heading=title,
        greeting="Hello,",
        opening=("The affiliate terms promise that commission is paid by these days.",),
        facts=tuple(_fact(amount) for amount in amounts),
        action=MailLink("Open the month in the office", f"{settings.office_origins[0]}/office/affiliates?month={month}")
        if settings.office
        else None,
        closing=("Each amount is reminded of once. Mark it as paid in the office when it is.",),
    )


def _fact(amount: Fields) -> Fact:
    words = f"{money(Decimal(amount['amount']), amount['currency'])} by {date_words(date.fromisoformat(amount['pay_by']))}"
    if amount["needs_rate"]:
        words += ", if it has reached the threshold of a first payout at the day’s rate"
    return Fact(f"{amount['partner']}, {month_words(date.fromisoformat(amount['month']))}", words)


TEMPLATES = {PAYOUTS_DUE: Template(reminder_text, to_team=True)}
