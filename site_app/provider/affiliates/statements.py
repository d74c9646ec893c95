"""The monthly statement of each partner by mail, and the reminder to the owners of commission that must be paid soon, once for each amount."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

from babel.dates import format_skeleton
from babel.numbers import format_currency
from sqlmodel import Session, col, or_, select

from site_app.core.i18n import ENGLISH, current, t
from site_app.core.i18n.clocks import date_words
from site_app.core.settings import Settings
from site_app.core.settings.rules import OWNER
from site_app.provider.affiliates.ledger import Balance, CarryReason, Statement, add_months, last_day
from site_app.provider.affiliates.mails import page_url, row_to_partner
from site_app.provider.affiliates.payments import PartnerBook, book_of, books_of
from site_app.provider.affiliates.program import SITE, add_link, log_change, partner_by_id
from site_app.provider.outbox.mail import Fact, Fields, MailLink, MailText
from site_app.provider.outbox.rows import Template, mail_row
from site_app.provider.store import Store, advisory_lock, insert_if_new, insert_rows
from site_app.provider.store.tables import AffiliateEntry, CustomerPayment, NewOutbox, Outbox, Partner, Payout, Referral

_STATEMENT = "partner-statement"
_PAYOUTS_DUE = "payouts-due"
_MAILED = "mail statement"
_BOOKS_AT_ONCE = 500  # read in one transaction, so that thousands of partners keep no snapshot open


async def mail_statements(store: Store, settings: Settings, now: datetime) -> None:
    """Adds the statements of last month that were not mailed yet to the outbox, each in a transaction of its own."""
    month = add_months(now.date().replace(day=1), -1)
    candidates = await store.read(partial(_unmailed_partners, month=month))
    for start in range(0, len(candidates), _BOOKS_AT_ONCE):
        part = candidates[start : start + _BOOKS_AT_ONCE]
        for partner_id in await store.read(partial(_partners_to_mail, partner_ids=part, month=month)):
            await store.write(
                lambda session, number=partner_id: mail_statement(session, number, month, settings=settings, now=now)
            )


def mail_statement(session: Session, partner_id: int, month: date, *, settings: Settings, now: datetime) -> bool:
    """Adds a partner's statement of a month to the outbox. Returns False if nothing happened, or it was mailed before.

    The affiliate log says if it was mailed, because the log is kept longer than sent mails in the outbox.
    """
    partner = partner_by_id(session, partner_id, lock=True)
    fields = _fields(book_of(session, partner), month)
    if fields is None or not _is_unmailed(session, partner_id, month):
        return False
    # Links mailed before stay valid: a partner may have bookmarked their page.
    fields |= {"page_url": page_url(add_link(session, partner), partner.language, settings)}
    reference = f"partner-{partner_id}-{month:%Y-%m}"
    row = row_to_partner(_STATEMENT, reference, partner, fields, settings=settings, now=now)
    if not insert_if_new(session, Outbox, row.model_dump(exclude={"id"})):
        return False
    log_change(session, partner, SITE, _MAILED, f"{month:%Y-%m}", now=now)
    return True


def money(amount: Decimal, currency: str) -> str:
    """Returns an amount in words of the current language."""
    return format_currency(amount, currency, locale=current().babel)


def month_words(month: date) -> str:
    return format_skeleton("yMMMM", month, locale=current().babel)


def has_movement(balance: Balance) -> bool:
    """Returns True if anything was carried in, earned, paid or forfeited in the month."""
    return bool(balance.carried_in or balance.earned or balance.payout or balance.forfeited)


def _unmailed_partners(session: Session, month: date) -> Sequence[int]:
    """Returns the partners whose statement of the month is not mailed, without those for whom nothing can have happened."""
    mailed = select(AffiliateEntry.partner_id).where(
        AffiliateEntry.action == _MAILED, AffiliateEntry.subject == f"{month:%Y-%m}"
    )
    in_month = col(Referral.first_submission_on).between(month, last_day(month))
    with_referral = select(Referral.partner_id).where(in_month)
    with_payout = select(Payout.partner_id).where(col(Payout.paid_on).between(month, last_day(month)))
    number = col(Partner.id)
    has_facts = or_(number.in_(with_referral), number.in_(_partners_with_payment()), number.in_(with_payout))
    conditions = Partner.approved_on <= last_day(month), number.not_in(mailed), has_facts
    return [partner_id for partner_id in session.exec(select(number).where(*conditions).order_by(number)) if partner_id]


def _partners_with_payment() -> Any:
    """Returns the query for the partners of whose customers one has paid, or was invoiced."""
    return select(Referral.partner_id).join(CustomerPayment)


def _partners_to_mail(session: Session, partner_ids: Sequence[int], month: date) -> list[int]:
    """Returns those of the partners for whom something happened in the month."""
    return [book.partner.id or 0 for book in _books(session, partner_ids) if _fields(book, month)]


def _books(session: Session, partner_ids: Sequence[int]) -> list[PartnerBook]:
    partners = session.exec(select(Partner).where(col(Partner.id).in_(partner_ids)).order_by(col(Partner.id))).all()
    return books_of(session, partners)


def _is_unmailed(session: Session, partner_id: int, month: date) -> bool:
    mailed = select(AffiliateEntry.id).where(
        AffiliateEntry.partner_id == partner_id, AffiliateEntry.action == _MAILED, AffiliateEntry.subject == f"{month:%Y-%m}"
    )
    return session.exec(mailed).first() is None


def _fields(book: PartnerBook, month: date) -> dict[str, Any] | None:
    """Returns what the mail says, as JSON values, or None for a month without a referral, a payment or money for the partner."""
    statement = book.statement(month)
    paid_out = [payout for payout in book.payouts if month <= payout.paid_on <= last_day(month)]
    has_referral = any(month <= referral.first_submission_on <= last_day(month) for referral in book.referrals)
    if not (statement.lines or paid_out or has_referral or any(balance.payout for balance in statement.balances)):
        return None
    return {
        "month": str(month),
        "balances": [_balance_fields(balance) for balance in statement.balances if has_movement(balance)],
        "paid_out": [{"currency": payout.currency, "amount": str(payout.amount)} for payout in paid_out],
    }


def _balance_fields(balance: Balance) -> dict[str, str]:
    """Returns a balance for the mail. An amount that is paid already is not due; the mail lists it under `paid_out`."""
    return {
        "currency": balance.currency,
        "earned": str(balance.earned),
        "due": str(Decimal(0) if balance.is_paid else balance.payout),
        "pay_by": str(balance.pay_by or ""),
        "forfeited": str(balance.forfeited),
        "carried_out": str(balance.carried_out),
    }


def statement_text(fields: Fields, settings: Settings) -> MailText:
    month = month_words(date.fromisoformat(fields["month"]))
    facts = [fact for balance in fields["balances"] for fact in _facts(balance, month)]
    facts += [
        Fact(t("Paid to you in {month}", month=month), money(Decimal(payout["amount"]), payout["currency"]))
        for payout in fields["paid_out"]
    ]
    return MailText(
        subject=t("Your commission statement for {month}", month=month),
        heading=t("Statement for {month}", month=month),
        greeting=t("Hello,"),
        opening=(t("Here is your statement for {month}. All referrals and payments are on your affiliate page.", month=month),),
        facts=tuple(facts),
        action=MailLink(t("Open your affiliate page"), fields["page_url"]),
        closing=(t("If something looks wrong to you, reply to this email."),),
    )


def _facts(balance: dict[str, str], month: str) -> Sequence[Fact]:
    def words(name: str) -> str:
        return money(Decimal(balance[name]), balance["currency"])

    due = words("due")
    if balance["pay_by"] and Decimal(balance["due"]):
        due = t("{amount}, by {date}", amount=due, date=date_words(date.fromisoformat(balance["pay_by"])))
    facts = [Fact(t("Commission in {month}", month=month), words("earned")), Fact(t("We’ll pay you"), due)]
    if Decimal(balance["forfeited"]):
        facts.append(Fact(t("Forfeited"), words("forfeited")))
    return [*facts, Fact(t("Carried over"), words("carried_out"))]


REMIND_BEFORE = timedelta(days=5)
_MONTHS_BACK = 3  # months whose statements are read; older amounts have had their reminder long ago
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
    candidates = sorted(await store.read(lambda session: session.exec(_partners_with_payment().distinct()).all()))
    due: list[DueAmount] = []
    for start in range(0, len(candidates), _BOOKS_AT_ONCE):
        part = candidates[start : start + _BOOKS_AT_ONCE]
        due += await store.read(partial(_not_reminded, partner_ids=part, today=now.date()))
    if partner_ids := sorted({amount.partner.id or 0 for amount in due}):
        await store.write(lambda session: _remind(session, partner_ids, settings=settings, now=now))


def _remind(session: Session, partner_ids: Sequence[int], *, settings: Settings, now: datetime) -> None:
    advisory_lock(session, "payout reminder")  # the amounts are looked up again, because another process may have been faster
    due = _not_reminded(session, partner_ids, now.date())
    if not due:
        return
    insert_rows(session, Outbox, _rows(due, settings, now))
    for amount in due:
        log_change(session, amount.partner, SITE, _REMINDED, amount.subject, after=str(amount.pay_by), now=now)


def _not_reminded(session: Session, partner_ids: Sequence[int], today: date) -> list[DueAmount]:
    due_soon = [
        amount
        for book in _books(session, partner_ids)
        for amount in due_amounts(book, today)
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


def due_amounts(book: PartnerBook, today: date) -> list[DueAmount]:
    """Returns for each currency the earliest month of which something is not paid. Later months carry it in."""
    due: dict[str, DueAmount] = {}
    for months_back in range(_MONTHS_BACK, -1, -1):
        month = add_months(today.replace(day=1), -months_back)
        if last_day(month) < book.partner.approved_on:
            continue
        statement = book.statement(month)
        for balance in statement.balances:
            needs_rate = balance.carry_reason is CarryReason.NO_RATE
            if (balance.payout > 0 and not balance.is_paid) or needs_rate:
                amount = balance.carried_in + balance.earned
                pay_by = _pay_by(statement, balance)
                due.setdefault(balance.currency, DueAmount(book.partner, month, balance.currency, amount, pay_by, needs_rate))
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
        mail_row(_PAYOUTS_DUE, fields, owner, ENGLISH.id, settings=settings, now=now, edition=number)
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
        closing=("You’ll get only one reminder of each amount. Once it is paid, mark it as paid in the office.",),
    )


def _fact(amount: Fields) -> Fact:
    words = f"{money(Decimal(amount['amount']), amount['currency'])} by {date_words(date.fromisoformat(amount['pay_by']))}"
    if amount["needs_rate"]:
        words += ", if it has reached the threshold of the first payout at the day’s rate"
    return Fact(f"{amount['partner']}, {month_words(date.fromisoformat(amount['month']))}", words)


TEMPLATES = {
    _STATEMENT: Template(statement_text, has_lead=False),
    _PAYOUTS_DUE: Template(reminder_text, to_team=True, has_lead=False),
}
