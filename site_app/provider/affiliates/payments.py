"""Payments of customers, entered by the team or imported as CSV, and payouts to partners, each exactly once."""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, timedelta
from decimal import Decimal
from io import StringIO
from types import MappingProxyType
from typing import Annotated, Any

from babel.numbers import get_currency_precision
from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator, model_validator
from sqlmodel import Session, col, select

from site_app.contracts.fields import CurrencyCode
from site_app.core.settings import Settings
from site_app.provider.affiliates.ledger import (
    Agreement,
    Balance,
    Billing,
    PartnerPayout,
    PaymentFacts,
    ReferralFacts,
    Statement,
    last_day,
    statement,
)
from site_app.provider.affiliates.program import MAIL_STATEMENT, log_change, partner_by_id
from site_app.provider.http.refusals import EntryNotFound, ProviderRefusal
from site_app.provider.store import advisory_lock, insert_if_new
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.columns import reference_key
from site_app.provider.store.tables import (
    AffiliateEntry,
    CustomerPayment,
    Partner,
    PartnerState,
    Payout,
    Referral,
    ReferralState,
)

MAX_LINES = 2000  # of an imported file, its first line included
BOOKS_AT_ONCE = 500  # read in one transaction, so that thousands of partners keep no snapshot open
_PAYMENT_FIELDS = tuple(fact.name for fact in fields(PaymentFacts) if fact.name not in ("referral", "billing"))
_PAYMENT_COLUMNS = tuple(getattr(CustomerPayment, name) for name in _PAYMENT_FIELDS)
_REFERRAL_COLUMNS: Any = (
    Referral.partner_id,
    Referral.lead,
    Referral.first_submission_on,
    Referral.prior_contact_on,
    Referral.no_project_until,
    Referral.state,
)
_NOT_ENTERED = {"id", "reference_key"}  # columns that no form has
_USUAL_DECIMALS = 2
# Twelve digits before the point: a project may cost billions of rupiah or dong.
Amount = Annotated[Decimal, Field(max_digits=16, decimal_places=4, allow_inf_nan=False)]
# The years that the office shows. Deadlines are counted from these days, and there is no day after the year 9999.
PaymentDay = Annotated[date, Field(ge=date(2000, 1, 1), le=date(2199, 12, 31))]
_DAYS_OF_MONEY = ("received_on", "reversed_on", "repaid_on")
_FIELDS_OF_MONEY = frozenset([*_DAYS_OF_MONEY, "repaid"])  # empty until money moves
_PLAIN_DAY = (re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"), "2026-02-28")
_PLAIN_AMOUNT = (re.compile(r"[0-9]+(\.[0-9]+)?"), "1000 or 1000.50")
_PLAIN_TEXTS = {"net": _PLAIN_AMOUNT, "repaid": _PLAIN_AMOUNT, "term_months": (re.compile(r"[0-9]+"), "12")}


class PaymentDiffers(ProviderRefusal):
    """A payment with this reference was entered before, with other figures. Only a correction changes it."""


class RefundMoved(ProviderRefusal):
    """The day of a refund is moved to a later month, after a payout or a statement counted the refund. It holds one refund only."""

    def __init__(self, repaid_on: date, repaid: Decimal) -> None:
        super().__init__(repaid_on, repaid)
        self.repaid_on = repaid_on
        self.repaid = repaid


class PayoutRefused(ProviderRefusal):
    """The month is not over, was paid already, or its amount is no longer what the owner saw. Nothing was stored."""


class MoneyBackRefused(ProviderRefusal):
    """More than was paid or is owed cannot come back, or that is no longer what the owner saw. Nothing was stored."""


class ImportRefused(ProviderRefusal):
    """Some lines of a file cannot be read. None of them was stored. `problems` names each with its line number."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(*problems)
        self.problems = problems


class PaymentEntry(BaseModel):
    """A payment as a form or a line of a file holds it; the fields are explained at `ledger.PaymentFacts`.

    Validated with the context {"today": date}, it refuses money that is received or returned on a later day.
    """

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)

    reference: Annotated[str, Field(pattern=r"^[\w./-]{1,40}$")]
    lead: Annotated[str, Field(pattern=r"^[A-Z]-[0-9A-Z]{4}-[0-9A-Z]{2}$")]
    net: Annotated[Amount, Field(gt=0)]
    currency: CurrencyCode
    billing: Billing
    due_on: PaymentDay
    contract_on: PaymentDay
    term_months: Annotated[int, Field(ge=0, le=600)] | None = None
    received_on: PaymentDay | None = None
    reversed_on: PaymentDay | None = None
    repaid_on: PaymentDay | None = None
    repaid: Annotated[Amount, Field(ge=0)] = Decimal(0)

    @field_validator("net", "repaid", "term_months", "due_on", "contract_on", *_DAYS_OF_MONEY, mode="before")
    @classmethod
    def _is_written_plainly(cls, value: Any, info: ValidationInfo) -> Any:
        """Refuses text that Pydantic would read in ways nobody means here: 1_000 and 1e3 as 1,000, and 1000 as a day of 1970."""
        pattern, example = _PLAIN_TEXTS.get(info.field_name or "", _PLAIN_DAY)
        if isinstance(value, str) and not pattern.fullmatch(value.strip()):
            raise ValueError(f"write it like {example}")
        return value

    # Of validators before, the last runs first.
    @field_validator("term_months", *_DAYS_OF_MONEY, mode="before")
    @classmethod
    def _empty_is_none(cls, value: Any) -> Any:
        return None if value == "" else value

    @field_validator("repaid", mode="before")
    @classmethod
    def _empty_is_nothing(cls, value: Any) -> Any:
        return value or "0"

    @field_validator(*_DAYS_OF_MONEY)
    @classmethod
    def _is_not_ahead(cls, value: date | None, info: ValidationInfo) -> date | None:
        if value and info.context and value > info.context["today"]:
            raise ValueError("this day is in the future")
        return value

    @field_validator("repaid")
    @classmethod
    def _normalize_zero(cls, value: Decimal) -> Decimal:
        return value or Decimal(0)

    @model_validator(mode="after")
    def _check_amounts_and_days(self) -> "PaymentEntry":
        if (self.repaid_on is None) != (self.repaid == 0):
            raise ValueError("enter both the amount paid back and its date, or neither")
        if not all(_is_whole(amount, self.currency) for amount in (self.net, self.repaid)):
            decimals = get_currency_precision(self.currency)
            raise ValueError(f"an amount in {self.currency} has at most {decimals} decimals; write thousands without a point")
        if self.repaid > self.net:
            raise ValueError("more was paid back than received")
        for returned_on in (self.reversed_on, self.repaid_on):
            if returned_on and (self.received_on is None or returned_on < self.received_on):
                raise ValueError("a reversal or repayment can’t be dated before the payment was received")
        return self


def _is_whole(amount: Decimal, currency: str) -> bool:
    """Returns True if the amount has no more decimals than its currency, or two zeros, as invoices write them for any currency."""
    decimals = get_currency_precision(currency)
    is_typed_so = -int(amount.as_tuple().exponent) <= max(decimals, _USUAL_DECIMALS)
    return is_typed_so and amount == round(amount, decimals)


def add_payment(session: Session, entry: PaymentEntry, actor: Actor, *, is_correction: bool = False) -> bool:
    """Stores a payment once. Returns False if exactly this payment was entered before.

    An invoice that was entered as not received may be entered again with the day on which it was. A correction may also move the
    payment to another lead, and so to another partner. Raises EntryNotFound if no referral has its lead, PaymentDiffers if the
    reference has other figures and this is no correction, and RefundMoved if it is one that would take back a refund that was
    counted.
    """
    # No two processes look for a number and then store it at the same time. One lock for all numbers: lines of a file cannot deadlock.
    advisory_lock(session, "customer payments")
    reference, stored_lead = _stored_payment(session, entry.reference) or (entry.reference, entry.lead)
    entry = entry.model_copy(update={"reference": reference})
    leads = (entry.lead, stored_lead)
    numbers = dict(session.exec(select(Referral.lead, Referral.partner_id).where(col(Referral.lead).in_(leads))).all())
    if entry.lead not in numbers:
        raise EntryNotFound
    # Locked in the order of their numbers, so that two corrections cannot deadlock.
    partners = [partner_by_id(session, partner_id, lock=True) for partner_id in sorted({*numbers.values()})]
    values = entry.model_dump() | {"billing": entry.billing.value}
    if insert_if_new(session, CustomerPayment, values):
        for partner in partners:
            log_change(session, partner, actor, "payment", entry.reference, after=_figure_words(values))
        return True
    row = session.exec(select(CustomerPayment).where(CustomerPayment.reference == entry.reference).with_for_update()).one()
    old_values = row.model_dump(exclude=_NOT_ENTERED)
    if old_values == values:
        return False
    if not (is_correction or _is_receipt(old_values, values)) or row.lead not in numbers:
        raise PaymentDiffers
    if (
        row.repaid_on
        and entry.repaid_on
        and _was_counted(session, row.repaid_on, entry.repaid_on, numbers[row.lead], row.currency)
    ):
        raise RefundMoved(row.repaid_on, row.repaid)
    for name, value in values.items():
        setattr(row, name, value)
    session.add(row)
    before, after = _figure_words(old_values), _figure_words(values)
    for partner in partners:
        log_change(session, partner, actor, "correct payment" if is_correction else "payment", entry.reference, before, after)
    return True


def _is_receipt(old_values: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Returns True if the entry only adds that the payment was received, and perhaps what was returned since.

    What was returned of a payment that was received before needs a correction: an older file, imported again, would undo one.
    """
    terms = values.keys() - _FIELDS_OF_MONEY
    is_same_invoice = all(old_values[name] == values[name] for name in terms)
    return is_same_invoice and old_values["received_on"] is None and values["received_on"] is not None


def _was_counted(session: Session, day: date, later_day: date, partner_id: int, currency: str) -> bool:
    """Returns True if a month from that of the day to the one before that of the later day was paid in the currency, or stated by mail."""
    first, end = day.replace(day=1), later_day.replace(day=1)
    payouts = select(col(Payout.month)).where(
        Payout.partner_id == partner_id, Payout.currency == currency, Payout.month >= first, Payout.month < end
    )
    statements = select(AffiliateEntry.id).where(
        AffiliateEntry.partner_id == partner_id,
        AffiliateEntry.action == MAIL_STATEMENT,
        AffiliateEntry.subject >= f"{first:%Y-%m}",
        AffiliateEntry.subject < f"{end:%Y-%m}",
    )
    return session.exec(payouts).first() is not None or session.exec(statements).first() is not None


def _stored_payment(session: Session, reference: str) -> tuple[str, str] | None:
    """Returns reference and lead of the payment with this number, however it is spelled, or None.

    Releases before may have stored a number in two spellings: the spelling that is asked for comes first, then the older one.
    """
    _add_missing_keys(session)
    statement = select(CustomerPayment.reference, CustomerPayment.lead).where(
        CustomerPayment.reference_key == reference_key(reference)
    )
    stored = dict(session.exec(statement.order_by(col(CustomerPayment.id))).all())
    spelling = reference if reference in stored else next(iter(stored), "")
    return (spelling, stored[spelling]) if spelling else None


def _add_missing_keys(session: Session) -> None:
    """Adds the keys of payments that the release before stored after the tables were upgraded."""
    for payment in session.exec(select(CustomerPayment).where(CustomerPayment.reference_key == "")):
        payment.reference_key = reference_key(payment.reference)
        session.add(payment)
    session.flush()


def import_csv(session: Session, text: str, actor: Actor, *, settings: Settings) -> int:
    """Stores the payments of a file whose first line names each field of PaymentEntry. Returns how many were new or newly received.

    Raises ImportRefused, and then stores none, if a line cannot be read or differs from what was entered before.
    """
    entries, problems = _read(text, settings.local_day(actor.now))
    new_count = 0
    for number, entry in entries:
        try:
            new_count += add_payment(session, entry, actor)
        except EntryNotFound:
            problems.append(f"Line {number}: no referral has the lead {entry.lead}")
        except PaymentDiffers:
            problems.append(
                f"Line {number}: {entry.reference} has already been entered with other figures; "
                "a further part of an invoice needs a number of its own"
            )
    if problems:
        raise ImportRefused(problems)
    return new_count


def _read(text: str, today: date) -> tuple[list[tuple[int, PaymentEntry]], list[str]]:
    entries: list[tuple[int, PaymentEntry]] = []
    problems: list[str] = []
    reader = csv.reader(StringIO(text.removeprefix("\ufeff")))
    try:
        names = [name.strip() for name in next(reader, [])]
        if sorted(names) != sorted(PaymentEntry.model_fields):
            raise ImportRefused([f"The first line must hold each of these names once: {', '.join(PaymentEntry.model_fields)}"])
        for cells in filter(None, reader):
            if reader.line_num > MAX_LINES:
                raise ImportRefused([f"A file has at most {MAX_LINES:,} lines"])
            if len(cells) != len(names):
                problems.append(f"Line {reader.line_num}: it has {len(cells)} cells, and the first line {len(names)}")
                continue
            try:
                values = dict(zip(names, map(str.strip, cells), strict=True))
                entries.append((reader.line_num, PaymentEntry.model_validate(values, context={"today": today})))
            except ValidationError as error:
                problems.append(f"Line {reader.line_num}: {problem_words(error)}")
    except csv.Error:
        problems.append(f"Line {reader.line_num} is not CSV")
    return entries, problems if entries or problems else ["The file holds no payments"]


def problem_words(error: ValidationError, labels: Mapping[str, str] = MappingProxyType({})) -> str:
    """Returns the problems in a line, each with the label of its field, or the field's name if it has none."""

    def field(place: Sequence[int | str]) -> str:
        name = ".".join(map(str, place))
        return labels.get(name, name)

    return "; ".join(
        f"{field(problem['loc'])}: {problem['msg'].removeprefix('Value error, ')}".removeprefix(": ")
        for problem in error.errors(include_url=False, include_input=False)
    )


@dataclass(frozen=True)
class PartnerBook:
    """All facts about one partner from which statements follow: referrals oldest first, payments in the order of entry."""

    partner: Partner
    referrals: list[ReferralFacts] = field(default_factory=list)
    payments: list[PaymentFacts] = field(default_factory=list)
    payouts: list[Payout] = field(default_factory=list)

    def statement(self, month: date, *, rates: Mapping[str, Decimal] | None = None) -> Statement:
        """Returns the partner's statement of a month."""
        partner = self.partner
        agreement = Agreement(partner.approved_on, partner.ends_on, partner.state == PartnerState.FORFEITED)
        payouts = [PartnerPayout(payout.month.replace(day=1), payout.currency, payout.amount) for payout in self.payouts]
        return statement(agreement, self.referrals, self.payments, month, payouts=payouts, rates=rates)


def books_of(session: Session, partners: Sequence[Partner]) -> list[PartnerBook]:
    """Returns the books of some partners, in their order, by three queries for all of them."""
    books = {partner.id: PartnerBook(partner) for partner in partners}
    numbers = [*books]
    referrals = select(*_REFERRAL_COLUMNS).where(col(Referral.partner_id).in_(numbers)).order_by(col(Referral.id))
    for partner_id, lead, first_submission_on, prior_contact_on, no_project_until, state in session.exec(referrals):
        opportunity_on = _opportunity_on(prior_contact_on, no_project_until)
        is_declined = state == ReferralState.DECLINED
        books[partner_id].referrals.append(ReferralFacts(lead, first_submission_on, opportunity_on, is_declined))
    columns: Any = select(Referral.partner_id, CustomerPayment.lead, CustomerPayment.billing, *_PAYMENT_COLUMNS)
    of_partners = columns.join(Referral).where(col(Referral.partner_id).in_(numbers)).order_by(col(CustomerPayment.id))
    for partner_id, lead, billing, *facts in session.exec(of_partners):
        values = dict(zip(_PAYMENT_FIELDS, facts, strict=True))
        books[partner_id].payments.append(PaymentFacts(referral=lead, billing=Billing(billing), **values))
    for payout in session.exec(select(Payout).where(col(Payout.partner_id).in_(numbers))):
        books[payout.partner_id].payouts.append(payout)
    return list(books.values())


def _opportunity_on(prior_contact_on: date | None, no_project_until: date | None) -> date | None:
    """Returns the day of the last contact about an opportunity, or None. A contact counts as one until the owner says that it was none."""
    if prior_contact_on and no_project_until and prior_contact_on <= no_project_until:
        return None
    return prior_contact_on


def book_of(session: Session, partner: Partner) -> PartnerBook:
    """Returns the book of one partner."""
    return books_of(session, [partner])[0]


def books_by_id(session: Session, partner_ids: Sequence[int]) -> list[PartnerBook]:
    """Returns the books of the partners with these numbers, in the order of the numbers."""
    partners = session.exec(select(Partner).where(col(Partner.id).in_(partner_ids)).order_by(col(Partner.id))).all()
    return books_of(session, partners)


def partners_with_payment() -> Any:
    """Returns the query for the partners of whose customers one has paid, or was invoiced."""
    return select(Referral.partner_id).join(CustomerPayment)


def mark_paid_out(
    session: Session,
    partner_id: int,
    month: date,
    currency: str,
    shown_amount: Decimal,
    actor: Actor,
    *,
    shown_count: int = 0,
    rates: Mapping[str, Decimal] | None = None,
    settings: Settings,
) -> Payout:
    """Marks what is due for a month as paid, exactly once. Raises PayoutRefused, also if the amount is not the one that was shown.

    `shown_count` is how many payouts of the month were shown with it, by default none, because a further payout may be of the same amount.
    Entries and corrections may make more due for a month that was paid: that is a further payout, and another row. The partner's
    row is locked, and months are paid in their order, so no amount is carried into two payouts.
    """
    partner = partner_by_id(session, partner_id, lock=True)
    first = month.replace(day=1)
    today = settings.local_day(actor.now)
    if today < last_day(first):
        raise PayoutRefused  # the month is not over
    book = book_of(session, partner)
    balance = _balance(book.statement(first, rates=rates), currency)
    if (
        balance is None
        or not balance.due
        or (balance.due, balance.payout_count) != (shown_amount, shown_count)
        or balance.payout_count == last_day(first).day
    ):
        raise PayoutRefused
    row = Payout(
        month=first + timedelta(days=balance.payout_count),
        partner_id=partner_id,
        currency=currency,
        amount=balance.due,
        paid_on=today,
        rate=balance.rate,
    )
    if not insert_if_new(session, Payout, row.model_dump()):
        raise PayoutRefused  # it was paid already
    amount_words = f"{currency} {balance.due}{f' at {balance.rate}' if balance.rate else ''}"
    log_change(session, partner, actor, "pay", f"{first:%Y-%m}", after=amount_words)
    return row


def enter_money_back(
    session: Session,
    partner_id: int,
    month: date,
    currency: str,
    amount: Decimal,
    actor: Actor,
    *,
    is_repayment: bool = False,
    shown_limit: Decimal,
    shown_count: int,
    settings: Settings,
) -> Payout:
    """Stores what came back of a month's payouts, or, if `is_repayment`, what the partner repaid: a payout with a negative amount.

    What was returned is due again, and what was repaid is not deducted again. Raises MoneyBackRefused, also if the limit or the number
    of the month's payouts is not the one that was shown: so a form that is sent twice, or by two owners, is entered once.
    """
    partner = partner_by_id(session, partner_id, lock=True)
    first = month.replace(day=1)
    today = settings.local_day(actor.now)
    book = book_of(session, partner)
    balance = _balance(book.statement(first), currency)
    if balance is None or first > today or balance.payout_count == last_day(first).day:
        raise MoneyBackRefused
    limit = balance.repayable if is_repayment else balance.returnable
    if (
        (limit, balance.payout_count) != (shown_limit, shown_count)
        or not 0 < amount <= limit
        or not _is_whole(amount, currency)
    ):
        raise MoneyBackRefused
    row = Payout(
        month=first + timedelta(days=balance.payout_count),
        partner_id=partner_id,
        currency=currency,
        amount=-amount,
        paid_on=today,
    )
    if not insert_if_new(session, Payout, row.model_dump()):
        raise MoneyBackRefused
    log_change(session, partner, actor, "money back", f"{first:%Y-%m}", after=f"{currency} {amount}")
    return row


def _balance(month: Statement, currency: str) -> Balance | None:
    return next((balance for balance in month.balances if balance.currency == currency), None)


def _figure_words(values: Mapping[str, Any]) -> str:
    """Returns the figures of a payment for the log, in the order of its form."""
    names = [name for name in PaymentEntry.model_fields if name != "reference" and values[name] not in (None, "", 0)]
    return ", ".join(f"{name} {values[name]}" for name in names)
