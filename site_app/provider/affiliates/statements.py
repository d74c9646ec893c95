"""The monthly statement of each partner by mail."""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import Any

from babel.dates import format_skeleton
from babel.numbers import format_currency
from sqlmodel import Session, col, or_, select

from site_app.core.i18n import current, t
from site_app.core.i18n.clocks import date_words
from site_app.core.settings import Settings
from site_app.provider.affiliates.ledger import Balance, CarryReason, add_months, last_day
from site_app.provider.affiliates.mails import page_url, row_to_partner
from site_app.provider.affiliates.payments import BOOKS_AT_ONCE, PartnerBook, book_of, books_by_id, partners_with_payment
from site_app.provider.affiliates.program import MAIL_STATEMENT, SITE, add_link, log_change, partner_by_id
from site_app.provider.outbox.mail import Fact, Fields, MailLink, MailText
from site_app.provider.outbox.rows import Template
from site_app.provider.store import Store, insert_if_new
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import AffiliateEntry, Outbox, Partner, Payout, Referral

_STATEMENT = "partner-statement"
# Why a balance is carried over, on the partner's page and in this mail.
CARRY_REASONS: dict[CarryReason, Callable[[], str]] = {
    CarryReason.BELOW_THRESHOLD: lambda: t("carried over: below the threshold of the first payout"),
    CarryReason.NO_RATE: lambda: t("carried over until it reaches the threshold at the day’s rate"),
    CarryReason.NEGATIVE: lambda: t("carried over: refunds exceed the commission"),
    CarryReason.PAID_LATER: lambda: t("paid with a later month"),
    CarryReason.FORFEITED: lambda: t("forfeited: the agreement ended because of a breach"),
}


async def mail_statements(store: Store, settings: Settings, now: datetime) -> None:
    """Adds the statements of last month that were not mailed yet to the outbox, each in a transaction of its own."""
    month = add_months(settings.local_day(now).replace(day=1), -1)
    candidates = await store.read(partial(_unmailed_partners, month=month))
    for start in range(0, len(candidates), BOOKS_AT_ONCE):
        part = candidates[start : start + BOOKS_AT_ONCE]
        for partner_id in await store.read(partial(_partners_to_mail, partner_ids=part, month=month)):
            await store.write(
                lambda session, partner_id=partner_id: mail_statement(session, partner_id, month, settings=settings, now=now)
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
    log_change(session, partner, Actor(SITE, now), MAIL_STATEMENT, f"{month:%Y-%m}")
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
        AffiliateEntry.action == MAIL_STATEMENT, AffiliateEntry.subject == f"{month:%Y-%m}"
    )
    in_month = col(Referral.first_submission_on).between(month, last_day(month))
    with_referral = select(Referral.partner_id).where(in_month)
    with_payout = select(Payout.partner_id).where(col(Payout.paid_on).between(month, last_day(month)))
    partner_id = col(Partner.id)
    has_facts = or_(partner_id.in_(with_referral), partner_id.in_(partners_with_payment()), partner_id.in_(with_payout))
    conditions = Partner.approved_on <= last_day(month), partner_id.not_in(mailed), has_facts
    return [found_id for found_id in session.exec(select(partner_id).where(*conditions).order_by(partner_id)) if found_id]


def _partners_to_mail(session: Session, partner_ids: Sequence[int], month: date) -> list[int]:
    """Returns those of the partners for whom something happened in the month."""
    return [book.partner.id or 0 for book in books_by_id(session, partner_ids) if _fields(book, month)]


def _is_unmailed(session: Session, partner_id: int, month: date) -> bool:
    mailed = select(AffiliateEntry.id).where(
        AffiliateEntry.partner_id == partner_id,
        AffiliateEntry.action == MAIL_STATEMENT,
        AffiliateEntry.subject == f"{month:%Y-%m}",
    )
    return session.exec(mailed).first() is None


def _fields(book: PartnerBook, month: date) -> dict[str, Any] | None:
    """Returns what the mail says, as JSON values, or None for a month without a referral, a payment or money for the partner."""
    statement = book.statement(month)
    # An amount of the month may be paid on the first of the next one, shortly before this mail is written.
    paid_out = [payout for payout in book.payouts if payout.month == month or month <= payout.paid_on <= last_day(month)]
    has_referral = any(month <= referral.first_submission_on <= last_day(month) for referral in book.referrals)
    if not (statement.lines or paid_out or has_referral or any(balance.payout for balance in statement.balances)):
        return None
    return {
        "month": str(month),
        "balances": [_balance_fields(balance) for balance in statement.balances if has_movement(balance)],
        "paid_out": [
            {"currency": payout.currency, "amount": str(payout.amount), "paid_on": str(payout.paid_on)} for payout in paid_out
        ],
    }


def _balance_fields(balance: Balance) -> dict[str, str]:
    """Returns a balance for the mail. An amount that is paid already is not due; the mail lists it under `paid_out`."""
    return {
        "currency": balance.currency,
        "carried_in": str(balance.carried_in),
        "earned": str(balance.earned),
        "due": str(Decimal(0) if balance.is_paid else balance.payout),
        "pay_by": str(balance.pay_by or ""),
        "carry_reason": balance.carry_reason or "",
        "forfeited": str(balance.forfeited),
        "carried_out": str(balance.carried_out),
    }


def statement_text(fields: Fields, settings: Settings) -> MailText:
    month = month_words(date.fromisoformat(fields["month"]))
    facts = [fact for balance in fields["balances"] for fact in _facts(balance, month)]
    facts += [_paid_fact(payout, month) for payout in fields["paid_out"]]
    return MailText(
        subject=t("Your commission statement for {month}", month=month),
        heading=t("Statement for {month}", month=month),
        greeting=t("Hello,"),
        opening=(
            t(
                "Here is your statement for {month}. Your referrals and payments of the last three years are on your affiliate page.",
                month=month,
            ),
        ),
        facts=tuple(facts),
        action=MailLink(t("Open your affiliate page"), fields["page_url"]),
        closing=(t("If something looks wrong to you, reply to this email."),),
    )


def _paid_fact(payout: dict[str, str], month: str) -> Fact:
    if day := payout.get("paid_on"):
        label = t("Paid to you on {date}", date=date_words(date.fromisoformat(day)))
    else:  # a mail that an earlier release wrote
        label = t("Paid to you in {month}", month=month)
    return Fact(label, money(Decimal(payout["amount"]), payout["currency"]))


def _facts(balance: dict[str, str], month: str) -> Sequence[Fact]:
    def words(name: str) -> str:
        return money(Decimal(balance[name]), balance["currency"])

    due = words("due")
    if balance["pay_by"] and Decimal(balance["due"]):
        due = t("{amount}, by {date}", amount=due, date=date_words(date.fromisoformat(balance["pay_by"])))
    elif reason := balance.get("carry_reason"):  # missing in mails that an earlier release wrote
        due = f"{due} ({CARRY_REASONS[CarryReason(reason)]()})"
    facts = [Fact(t("Commission in {month}", month=month), words("earned")), Fact(t("We’ll pay you"), due)]
    if Decimal(balance.get("carried_in", 0)):  # missing in mails that an earlier release wrote
        facts.insert(0, Fact(t("Carried over from earlier months"), words("carried_in")))
    if Decimal(balance["forfeited"]):
        facts.append(Fact(t("Forfeited"), words("forfeited")))
    return [*facts, Fact(t("Carried over to the next month"), words("carried_out"))]


TEMPLATES = {_STATEMENT: Template(statement_text, has_lead=False)}
