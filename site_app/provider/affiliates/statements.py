"""The monthly statement of each partner by mail."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
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
_NOTHING = Decimal(0)
# What the log says of a mail: the commission of all months that it stated, paid or not, such as "credited GBP 60.00, USD 4.00".
_CREDITED, _NO_AMOUNT = "credited ", "nothing"
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
    book = book_of(session, partner)
    fields = _fields(book, month, _stated_credits(session, [partner_id], month).get(partner_id))
    if fields is None or not _is_unmailed(session, partner_id, month):
        return False
    # Links mailed before stay valid: a partner may have bookmarked their page.
    fields |= {"page_url": page_url(add_link(session, partner), partner.language, settings)}
    reference = f"partner-{partner_id}-{month:%Y-%m}"
    row = row_to_partner(_STATEMENT, reference, partner, fields, settings=settings, now=now)
    if not insert_if_new(session, Outbox, row.model_dump(exclude={"id"})):
        return False
    log_change(session, partner, Actor(SITE, now), MAIL_STATEMENT, f"{month:%Y-%m}", after=_credit_words(book, month))
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
    is_credit = col(AffiliateEntry.after).startswith(_CREDITED), AffiliateEntry.after != _CREDITED + _NO_AMOUNT
    with_credit = select(AffiliateEntry.partner_id).where(AffiliateEntry.action == MAIL_STATEMENT, *is_credit)
    partner_id = col(Partner.id)
    has_facts = or_(*map(partner_id.in_, (with_referral, partners_with_payment(), with_payout, with_credit)))
    conditions = Partner.approved_on <= last_day(month), partner_id.not_in(mailed), has_facts
    return [found_id for found_id in session.exec(select(partner_id).where(*conditions).order_by(partner_id)) if found_id]


def _partners_to_mail(session: Session, partner_ids: Sequence[int], month: date) -> list[int]:
    """Returns those of the partners for whom something happened in the month."""
    stated = _stated_credits(session, partner_ids, month)
    books = books_by_id(session, partner_ids)
    return [book.partner.id or 0 for book in books if _fields(book, month, stated.get(book.partner.id or 0))]


def _credit_words(book: PartnerBook, month: date) -> str:
    """Returns what was credited by the end of a month, less what is forfeited, in the words of the log."""
    paid = _paid_before(book, month)
    amounts = {
        balance.currency: balance.carried_out + balance.payout + paid[balance.currency]
        for balance in book.statement(month).balances
    }
    return _CREDITED + (", ".join(f"{currency} {amount}" for currency, amount in amounts.items() if amount) or _NO_AMOUNT)


def _stated_credits(session: Session, partner_ids: Sequence[int], month: date) -> dict[int, dict[str, Decimal]]:
    """Returns for each partner what was credited by currency, as the last mail before this month's stated it.

    Only of partners who got a mail, and not if an earlier release wrote it: its entry in the log names no amounts.
    """
    log = select(AffiliateEntry.partner_id, AffiliateEntry.after).where(
        AffiliateEntry.action == MAIL_STATEMENT,
        col(AffiliateEntry.partner_id).in_(partner_ids),
        AffiliateEntry.subject < f"{month:%Y-%m}",
    )
    last_words = dict(session.exec(log.order_by(col(AffiliateEntry.subject))).all())
    return {partner_id: _credits_in(words) for partner_id, words in last_words.items() if words.startswith(_CREDITED)}


def _credits_in(words: str) -> dict[str, Decimal]:
    amounts = words.removeprefix(_CREDITED)
    parts = [] if amounts == _NO_AMOUNT else [amount.split() for amount in amounts.split(", ")]
    return {currency: Decimal(figure) for currency, figure in parts}


def _paid_before(book: PartnerBook, month: date) -> Mapping[str, Decimal]:
    """Returns what was paid for earlier months, by currency, and nothing for any other currency."""
    paid: dict[str, Decimal] = defaultdict(Decimal)
    for payout in book.payouts:
        if payout.month < month:
            paid[payout.currency] += payout.amount
    return paid


def _is_unmailed(session: Session, partner_id: int, month: date) -> bool:
    mailed = select(AffiliateEntry.id).where(
        AffiliateEntry.partner_id == partner_id,
        AffiliateEntry.action == MAIL_STATEMENT,
        AffiliateEntry.subject == f"{month:%Y-%m}",
    )
    return session.exec(mailed).first() is None


def _fields(book: PartnerBook, month: date, stated_credits: Mapping[str, Decimal] | None) -> dict[str, Any] | None:
    """Returns what the mail says, as JSON values, or None for a month without a referral, a payment or money for the partner.

    `stated_credits` is what the last mail stated, or None if that is unknown: a judgement of a referral, or a late entry, changes earlier
    months without a line in this one.
    """
    statement = book.statement(month)
    # An amount of the month may be paid on the first of the next one, shortly before this mail is written.
    paid_out = [
        payout for payout in book.payouts if payout.month.replace(day=1) == month or month <= payout.paid_on <= last_day(month)
    ]
    has_referral = any(month <= referral.first_submission_on <= last_day(month) for referral in book.referrals)
    balances = {balance.currency: balance for balance in statement.balances}
    expected = {} if stated_credits is None else _other_amounts(book, month, balances, stated_credits)
    has_money = any(balance.payout or balance.forfeited for balance in statement.balances)
    if not (statement.lines or paid_out or has_referral or has_money or expected):
        return None
    currencies = [
        currency for currency in sorted({*balances, *expected}) if currency in expected or has_movement(balances[currency])
    ]
    return {
        "month": str(month),
        "balances": [
            _balance_fields(balances.get(currency) or _empty_balance(currency)) | {"expected": str(expected.get(currency, ""))}
            for currency in currencies
        ],
        "paid_out": [
            {"currency": payout.currency, "amount": str(payout.amount), "paid_on": str(payout.paid_on)} for payout in paid_out
        ],
    }


def _other_amounts(
    book: PartnerBook, month: date, balances: Mapping[str, Balance], stated_credits: Mapping[str, Decimal]
) -> dict[str, Decimal]:
    """Returns what would be carried into the month by the last mail, of the currencies in which another amount is carried in."""
    paid = _paid_before(book, month)
    expected = {currency: stated_credits.get(currency, _NOTHING) - paid[currency] for currency in {*balances, *stated_credits}}
    carried_in = {currency: balance.carried_in for currency, balance in balances.items()}
    return {currency: amount for currency, amount in expected.items() if amount != carried_in.get(currency, _NOTHING)}


def _empty_balance(currency: str) -> Balance:
    return Balance(currency, _NOTHING, _NOTHING, _NOTHING, is_paid=False, pay_by=None, carry_reason=None)


def _balance_fields(balance: Balance) -> dict[str, str]:
    """Returns a balance for the mail. An amount that is paid already is not due; the mail lists it under `paid_out`.

    A month that counts as paid may have more that is due: its only payout may be what the partner repaid.
    """
    return {
        "currency": balance.currency,
        "carried_in": str(balance.carried_in),
        "earned": str(balance.earned),
        "due": str(balance.due),
        "pay_by": str(balance.pay_by or ""),
        "carry_reason": balance.carry_reason or "",
        "forfeited": str(balance.forfeited),
        "carried_out": str(balance.carried_out - balance.further_payout),
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
    amount = Decimal(payout["amount"])
    if day := payout.get("paid_on"):
        date_of_payout = date_words(date.fromisoformat(day))
        label = (
            t("Came back to us on {date}", date=date_of_payout)
            if amount < 0
            else t("Paid to you on {date}", date=date_of_payout)
        )
    else:  # a mail that an earlier release wrote
        label = t("Paid to you in {month}", month=month)
    return Fact(label, money(abs(amount), payout["currency"]))


def _facts(balance: dict[str, str], month: str) -> Sequence[Fact]:
    def words(name: str) -> str:
        return money(Decimal(balance[name]), balance["currency"])

    due = words("due")
    if balance["pay_by"] and Decimal(balance["due"]):
        due = t("{amount}, by {date}", amount=due, date=date_words(date.fromisoformat(balance["pay_by"])))
    elif reason := balance.get("carry_reason"):  # missing in mails that an earlier release wrote
        due = t("{name} ({detail})", name=due, detail=CARRY_REASONS[CarryReason(reason)]())
    facts = [Fact(t("Commission in {month}", month=month), words("earned")), Fact(t("We’ll pay you"), due)]
    if balance.get("expected"):  # this and the next are missing in mails that an earlier release wrote
        amounts = {"amount": words("carried_in"), "last_amount": words("expected")}
        carried_in = t("{amount} (by your last statement: {last_amount})", **amounts)
        facts.insert(0, Fact(t("Carried over from earlier months"), carried_in))
    elif Decimal(balance.get("carried_in", 0)):
        facts.insert(0, Fact(t("Carried over from earlier months"), words("carried_in")))
    if Decimal(balance["forfeited"]):
        facts.append(Fact(t("Forfeited"), words("forfeited")))
    return [*facts, Fact(t("Carried over to the next month"), words("carried_out"))]


TEMPLATES = {_STATEMENT: Template(statement_text, has_lead=False)}
