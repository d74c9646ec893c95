"""The monthly statement by mail: each partner gets one after the end of a month in which anything happened."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from babel.dates import format_skeleton
from babel.numbers import format_currency
from sqlmodel import Session, col, select

from site_app.core.i18n import current, t
from site_app.core.i18n.clocks import date_words
from site_app.core.settings import Settings
from site_app.provider.affiliates.ledger import Balance, add_months, last_day
from site_app.provider.affiliates.mails import page_url, row_to_partner
from site_app.provider.affiliates.payments import referrals_of, statement_of
from site_app.provider.affiliates.program import SITE, add_link, log_change, partner_by_id
from site_app.provider.outbox.mime import Fact, Fields, MailLink, MailText
from site_app.provider.outbox.rows import PARTNER_STATEMENT, Template
from site_app.provider.store import Store, insert_if_new
from site_app.provider.store.tables import AffiliateEntry, Outbox, Partner, Payout

_MAILED = "mail statement"


async def mail_statements(store: Store, settings: Settings, now: datetime) -> None:
    """Adds the mails of the month before to the outbox that are not there yet, each in a transaction of its own."""
    month = add_months(now.date().replace(day=1), -1)
    for partner_id in await store.read(lambda session: _without_mail(session, month)):
        await store.write(lambda session, number=partner_id: mail_statement(session, number, month, settings=settings, now=now))


def mail_statement(session: Session, partner_id: int, month: date, *, settings: Settings, now: datetime) -> bool:
    """Adds a partner's statement of a month to the outbox. Returns False if nothing happened, or it was mailed before.

    The log remembers it for longer than the outbox keeps sent mails.
    """
    partner = partner_by_id(session, partner_id, lock=True)
    fields = _fields(session, partner, month)
    if fields is None or not _is_mailless(session, partner_id, month):
        return False
    # Links mailed before stay valid: a partner may have bookmarked their page.
    fields |= {"page_url": page_url(add_link(session, partner), partner.language, settings)}
    reference = f"partner-{partner_id}-{month:%Y-%m}"
    row = row_to_partner(PARTNER_STATEMENT, reference, partner, fields, settings=settings, now=now)
    if not insert_if_new(session, Outbox, row.model_dump(exclude={"id"})):
        return False
    log_change(session, partner, SITE, _MAILED, f"{month:%Y-%m}", now=now)
    return True


def money(amount: Decimal, currency: str) -> str:
    """Returns an amount in words of the current language."""
    return format_currency(amount, currency, locale=current().babel)


def month_words(month: date) -> str:
    return format_skeleton("yMMMM", month, locale=current().babel)


def moves(balance: Balance) -> bool:
    return bool(balance.carried_in or balance.earned or balance.payout or balance.forfeited)


def _without_mail(session: Session, month: date) -> list[int]:
    """Returns the partners whose statement of the month is not mailed, although something happened."""
    partners = session.exec(select(Partner).where(Partner.approved_on <= last_day(month)).order_by(col(Partner.id)))
    return [
        partner.id
        for partner in partners.all()
        if partner.id and _is_mailless(session, partner.id, month) and _fields(session, partner, month)
    ]


def _is_mailless(session: Session, partner_id: int, month: date) -> bool:
    mailed = select(AffiliateEntry.id).where(
        AffiliateEntry.partner_id == partner_id, AffiliateEntry.action == _MAILED, AffiliateEntry.subject == f"{month:%Y-%m}"
    )
    return session.exec(mailed).first() is None


def _fields(session: Session, partner: Partner, month: date) -> dict[str, Any] | None:
    """Returns what the mail says, as JSON values, or None for a month without a referral, a payment or money for the partner."""
    statement = statement_of(session, partner, month)
    paid_out = session.exec(
        select(Payout).where(
            Payout.partner_id == partner.id, col(Payout.paid_on) >= month, col(Payout.paid_on) <= last_day(month)
        )
    ).all()
    has_referral = any(month <= referral.first_submission_on <= last_day(month) for referral in referrals_of(session, partner))
    if not (statement.lines or paid_out or has_referral or any(balance.payout for balance in statement.balances)):
        return None
    return {
        "month": str(month),
        "balances": [_balance_fields(balance) for balance in statement.balances if moves(balance)],
        "paid_out": [{"currency": payout.currency, "amount": str(payout.amount)} for payout in paid_out],
    }


def _balance_fields(balance: Balance) -> dict[str, str]:
    """A payout of the month that was made already is among those of `paid_out`, so nothing of it is due."""
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
    facts = [fact for balance in fields["balances"] for fact in _facts(balance)]
    facts += [
        Fact(t("Paid to you this month"), money(Decimal(payout["amount"]), payout["currency"])) for payout in fields["paid_out"]
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


def _facts(balance: dict[str, str]) -> Sequence[Fact]:
    def words(name: str) -> str:
        return money(Decimal(balance[name]), balance["currency"])

    due = words("due")
    if balance["pay_by"] and Decimal(balance["due"]):
        due = t("{amount}, by {date}", amount=due, date=date_words(date.fromisoformat(balance["pay_by"])))
    facts = [Fact(t("Commission this month"), words("earned")), Fact(t("We’ll pay you"), due)]
    if Decimal(balance["forfeited"]):
        facts.append(Fact(t("Forfeited"), words("forfeited")))
    return [*facts, Fact(t("Carried over"), words("carried_out"))]


TEMPLATES = {PARTNER_STATEMENT: Template(statement_text)}
