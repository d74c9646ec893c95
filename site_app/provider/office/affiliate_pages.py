"""The affiliate program in the office: a month's payouts, payments of customers, and each partner's page."""

import csv
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import partial
from io import StringIO
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from pydantic import TypeAdapter, ValidationError
from sqlmodel import Session, col, select
from starlette.responses import Response

from site_app.contracts.fields import Email, currency_codes
from site_app.core.http.pages import PAGE_HEADERS
from site_app.core.settings import Settings
from site_app.provider.affiliates import payments, program
from site_app.provider.affiliates.ledger import Balance, Billing, Statement, add_months, last_day, standing
from site_app.provider.affiliates.mails import share_urls
from site_app.provider.affiliates.payments import ImportRefused, PaymentDiffers, PaymentEntry, RefundMoved, problem_words
from site_app.provider.affiliates.payout_reminders import due_amounts
from site_app.provider.affiliates.paypal import is_paid_by_paypal
from site_app.provider.affiliates.terms import Terms, terms_of
from site_app.provider.http.refusals import EntryNotFound
from site_app.provider.leads.export import escape_formulas
from site_app.provider.office.access import OfficeRequest
from site_app.provider.office.affiliate_words import CARRY_REASONS, EXCLUSIONS, PAYMENT_LABELS, REASONS, STANDINGS
from site_app.provider.office.frame import redirect_in_office, refusal_page
from site_app.provider.office.typed_values import parse_number
from site_app.provider.store.columns import fold
from site_app.provider.store.tables import AffiliateEntry, Partner, Referral

_EMAIL = TypeAdapter(Email)
_FIELDS = tuple(PaymentEntry.model_fields)
_MAX_ENTRIES = 50  # of a partner's log
_PARTNERS_A_PAGE = 50
MAX_PAYOUTS_A_FILE = 5000  # PayPal takes no more, and one currency only
_LOWEST_RATE, _HIGHEST_RATE = Decimal("0.0001"), Decimal(10**9)  # Kuwait's dinar is at 0.4, Iran's rial at 10**6
_RATE_PATTERN = re.compile(r"[0-9]{1,10}(\.[0-9]{1,10})?")
_AMOUNT_PATTERN = re.compile(r"[0-9]{1,12}(\.[0-9]{1,4})?")
_MAX_SEARCH_LENGTH, _MAX_TERMS = 200, 6


class _RatesRefused(Exception):
    """A part of the typed rates is no rate. None of them is used, because "EUR 1,15" would be read as a rate of 1."""

    def __str__(self) -> str:
        return (
            f"“{self.args[0]}” is not an exchange rate, so none of the rates was used. "
            "Write them like USD 1.27, THB 45.1: a point in the figure, a comma between two rates."
        )


@dataclass(frozen=True)
class _PartnerMonth:
    """Both by currency: `rates` are those of first payouts that were made, `pay_carried_by` the days for what was only carried over."""

    partner: Partner
    statement: Statement
    terms: Terms
    rates: Mapping[str, Decimal]
    pay_carried_by: Mapping[str, date]


@dataclass
class _PayoutFile:
    """A file for PayPal’s mass payout: the amounts of the partners after `after`, up to `last`.

    A file begins after a partner, so it stays the same when the amounts of the files before it are marked as paid.
    """

    currency: str
    after: int = 0
    count: int = 0
    total: Decimal = Decimal(0)
    last: int = 0

    def add(self, partner: Partner, balance: Balance) -> None:
        self.count += 1
        self.total += balance.due
        self.last = partner.id or 0


async def month_page(request: OfficeRequest) -> Response:
    """GET shows what each partner is due for a month; POST enters or imports payments, marks an amount as paid, or enters money that came back."""
    if request.method == "POST":
        return await _change_month(request)
    return await _month_page(request)


async def paypal_page(request: OfficeRequest) -> Response:
    """Lists the files for PayPal’s mass payout of a month, and what must be paid by hand."""
    month = _month(request)
    try:
        rates = _rates(request) if _is_over(request, month) else None
    except _RatesRefused:  # the page of the month says why
        rates = None
    if rates is None:
        return redirect_in_office(f"/affiliates?{request.http.url.query}")
    files: dict[str, list[_PayoutFile]] = {}
    by_hand: list[tuple[Partner, Balance, str]] = []
    async for partner, balance in _due_balances(request, month, rates):
        if reason := _by_hand_reason(partner, balance):
            by_hand.append((partner, balance, reason))
            continue
        of_currency = files.setdefault(balance.currency, [_PayoutFile(balance.currency)])
        if of_currency[-1].count == MAX_PAYOUTS_A_FILE:
            of_currency.append(_PayoutFile(balance.currency, of_currency[-1].last))
        of_currency[-1].add(partner, balance)
    query = {"month": f"{month:%Y-%m}", "rates": request.query_params.get("rates", "")}
    links = [
        (file, urlencode(query | {"currency": file.currency, "after": str(file.after)}))
        for currency in sorted(files)
        for file in files[currency]
    ]
    title = f"Pay {month:%B %Y} with PayPal"
    return request.render("paypal.html", title, links=links, by_hand=by_hand, query=urlencode(query))


async def mass_payout(request: OfficeRequest) -> Response:
    """Returns a file for PayPal’s mass payout: what is due in one currency and not marked as paid, beginning after a partner.

    Before the month's last day there is none: the amounts can still change, and none of them can be marked as paid.
    """
    month = _month(request)
    currency = request.query_params.get("currency", "")
    try:
        rates = _rates(request) if _is_over(request, month) and currency in currency_codes() else None
    except _RatesRefused:  # the page of the month says why
        rates = None
    if rates is None:
        return redirect_in_office(f"/affiliates?{request.http.url.query}")
    after = max(parse_number(request.query_params.get("after", "")), 0)
    out = StringIO()
    writer = csv.writer(out)
    count = 0
    async for partner, balance in _due_balances(request, month, rates, after=after):
        if balance.currency == currency and not _by_hand_reason(partner, balance):
            writer.writerow([partner.paypal, balance.due, currency, partner.code, f"Commission {month:%Y-%m}"])
            count += 1
        if count == MAX_PAYOUTS_A_FILE:
            break
    name = f"paypal-{month:%Y-%m}-{currency}{f'-after-{after}' if after else ''}.csv"
    headers = {**PAGE_HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(out.getvalue(), media_type="text/csv", headers=headers)


async def _due_balances(
    request: OfficeRequest, month: date, rates: Mapping[str, Decimal], *, after: int = 0
) -> AsyncIterator[tuple[Partner, Balance]]:
    """Yields what is due and not marked as paid, of the partners after this number."""

    def read(session: Session, after: int) -> list[tuple[Partner, list[Balance]]]:
        partners = session.exec(_partners(after).limit(payments.BOOKS_AT_ONCE)).all()
        return [
            (book.partner, [balance for balance in book.statement(month, rates=rates).balances if _is_due(balance)])
            for book in payments.books_of(session, partners)
        ]

    while partners := await request.context.store.read(partial(read, after=after)):
        for partner, balances in partners:
            for balance in balances:
                yield partner, balance
        after = partners[-1][0].id or 0


async def partner_page(request: OfficeRequest) -> Response:
    """GET shows a partner with referrals and log; POST does one of its tasks: it judges a referral, changes the agreement, or mails a link."""
    partner_id = parse_number(request.path_params["number"])
    if request.method != "POST":
        return await _partner_page(request, partner_id)
    actor = request.actor
    lead = request.form.get("lead", "")
    settings = request.context.settings
    do = request.form.get("do", "")
    address = ""
    if do in ("email", "paypal"):
        try:
            address = _EMAIL.validate_python(request.form.get(do, "").strip())
        except ValidationError:
            text = "That is no email address. Go back and correct it."
            return refusal_page(request.context, request.http, 422, "The address was not changed", text)
    tasks: dict[str, Callable[[Session], object]] = {
        "count": lambda session: program.count_referral(session, lead, actor),
        "decline": lambda session: program.decline_referral(session, lead, actor),
        "ignore-contact": lambda session: program.ignore_prior_contact(session, lead, actor),
        "respect-contact": lambda session: program.respect_prior_contact(session, lead, actor),
        "suspend": lambda session: program.suspend(session, partner_id, actor),
        "resume": lambda session: program.resume(session, partner_id, actor, settings=settings),
        "notice": lambda session: program.give_notice(
            session,
            partner_id,
            actor,
            by_partner=request.form.get("by") == "partner",
            received_on=_received_on(request),
            settings=settings,
        ),
        "end": lambda session: program.end_at_once(
            session,
            partner_id,
            actor,
            is_forfeited=request.form.get("rest") == "forfeit",
            by_partner=request.form.get("rest") == "partner",
            settings=settings,
        ),
        "email": lambda session: program.correct_email(session, partner_id, address, actor, settings=settings),
        "paypal": lambda session: program.correct_paypal(session, partner_id, address, actor, settings=settings),
        "link": lambda session: program.mail_link(session, partner_id, actor, settings=settings),
    }
    if do not in tasks:
        return redirect_in_office(f"/affiliates/{partner_id}")
    message = do if do in ("link", "notice", "end", "email", "paypal") else "handle"
    if await request.context.store.write(tasks[do]) is False:
        message = "unchanged"
    request.context.wake()
    return redirect_in_office(f"/affiliates/{partner_id}?done={message}")


async def _partner_page(request: OfficeRequest, partner_id: int) -> Response:
    today = _today(request)
    month = _month(request)

    def read_rows(session: Session) -> dict[str, Any]:
        partner = program.partner_by_id(session, partner_id)
        referrals = session.exec(
            select(Referral).where(Referral.partner_id == partner_id).order_by(col(Referral.id).desc())
        ).all()
        book = payments.book_of(session, partner)
        standings = {
            referral.reference: standing(referral, book.payments, today, ends_on=partner.ends_on) for referral in book.referrals
        }
        log = select(AffiliateEntry).where(AffiliateEntry.partner_id == partner_id).order_by(col(AffiliateEntry.id).desc())
        return {
            "partner": partner,
            "terms": terms_of(session, partner, today, settings=request.context.settings),
            "partners_notice_on": program.partners_notice_on(session, partner),
            "has_ended": program.has_ended(partner, today),
            "referrals": referrals,
            "first_of_domain": program.first_of_domain(session, partner_id),
            "standings": standings,
            "standing_words": STANDINGS,
            "exclusions": EXCLUSIONS,
            "without_opportunity": {facts.reference for facts in book.referrals if facts.opportunity_on is None},
            "payments": book.payments,
            "statement": book.statement(month),
            "reasons": REASONS,
            "log": session.exec(log.limit(_MAX_ENTRIES)).all(),
        }

    template_values = await request.context.store.read(read_rows)
    partner = template_values["partner"]
    links = share_urls(partner.code, request.context.settings)
    return request.render(
        "partner.html", partner.name or partner.code, links=links, month=month, today=today, **template_values
    )


async def _month_page(request: OfficeRequest, *, status: int = 200, **values: Any) -> Response:
    month = _month(request)
    today = _today(request)
    problems = values.pop("problems", [])
    try:
        rates = _rates(request)
    except _RatesRefused as error:
        rates = {}
        problems = [*problems, str(error)]
    words = request.query_params.get("words", "").strip()[:_MAX_SEARCH_LENGTH]
    after = parse_number(request.query_params.get("after", ""))
    settings = request.context.settings
    show = partial(_partner_months, month=month, today=today, rates=rates, words=words, after=after, settings=settings)
    listed, older = await request.context.store.read(show)
    query = request.query_params.get("rates", "")
    shown = {"month": f"{month:%Y-%m}", "rates": query} | ({"words": words} if words else {})
    template_values: dict[str, Any] = {
        "month": month,
        "before": f"{add_months(month, -1):%Y-%m}",
        "after": f"{add_months(month, 1):%Y-%m}",
        "is_over": _is_over(request, month),
        "has_begun": month <= today,
        "listed": listed,
        "is_due": _is_due,
        "by_hand_reason": _by_hand_reason,
        "rates": query,
        "words": words,
        "is_first": after <= 0,
        "query": urlencode(shown | ({"after": str(after)} if after > 0 else {})),
        "next_page": "?" + urlencode(shown | {"after": str(older)}) if older else "",
        "problems": problems,
        "typed": {},
        "billings": [(billing.value, billing.value) for billing in Billing],
        "fields": _FIELDS,
        "max_lines": payments.MAX_LINES,
        "labels": PAYMENT_LABELS,
        "carry_reasons": CARRY_REASONS,
    }
    return request.render("affiliates.html", f"Affiliates, {month:%B %Y}", status=status, **(template_values | values))


def _partner_months(
    session: Session, month: date, today: date, rates: Mapping[str, Decimal], words: str, after: int, settings: Settings
) -> tuple[list[_PartnerMonth], int]:
    """Returns a page of partners after this number, and the number after which the next page begins, or 0 after the last."""
    statement = _partners(after)
    if terms := fold(words).split()[:_MAX_TERMS]:
        statement = statement.where(col(Partner.id).in_(_ids_with_words(session, terms, after)))
    partners = session.exec(statement.limit(_PARTNERS_A_PAGE + 1)).all()
    listed = [
        _PartnerMonth(
            book.partner,
            book.statement(month, rates=rates),
            terms_of(session, book.partner, today, settings=settings),
            {payout.currency: payout.rate for payout in book.payouts if payout.month == month and payout.rate},
            _pay_carried_by(book, month, today),
        )
        for book in payments.books_of(session, partners[:_PARTNERS_A_PAGE])
    ]
    return listed, (listed[-1].partner.id or 0) if len(partners) > _PARTNERS_A_PAGE else 0


def _ids_with_words(session: Session, terms: Sequence[str], after: int) -> list[int]:
    """Returns the partners after this number whose name, code or addresses contain each of these folded words: a page and one more.

    They are compared here, because SQLite knows capitals of English only, and no database ignores accents.
    """
    columns: Any = Partner.id, Partner.name, Partner.code, Partner.email, Partner.paypal
    partners = session.exec(select(*columns).where(col(Partner.id) > after).order_by(col(Partner.id)))
    matches = (number for number, *texts in partners if all(any(term in fold(text) for text in texts) for term in terms))
    return [*islice(matches, _PARTNERS_A_PAGE + 1)]


def _pay_carried_by(book: payments.PartnerBook, month: date, today: date) -> dict[str, date]:
    """Returns by when to pay the amounts of a month that were only carried over, by currency."""
    if not book.payments:
        return {}
    return {due.currency: due.pay_by for due in due_amounts(book, today) if due.is_carried and due.month == month}


def _partners(after: int) -> Any:
    """Returns the query for the partners after this number, in the order in which they were approved."""
    return select(Partner).where(col(Partner.id) > after).order_by(col(Partner.id))


async def _change_month(request: OfficeRequest) -> Response:
    do = request.form.get("do", "")
    query = request.http.url.query
    store = request.context.store
    try:
        if do == "payment":
            await _enter_payment(request)
        elif do == "import":
            file = request.form.get("file", "")
            await store.write(partial(payments.import_csv, text=file, actor=request.actor, settings=request.context.settings))
        elif do == "pay":
            await store.write(partial(_mark_paid_out, request=request))
        elif do == "money-back":
            await store.write(partial(_enter_money_back, request=request))
        else:
            return redirect_in_office("/affiliates")
    except ValidationError as error:
        return await _month_page(request, status=422, problems=[problem_words(error, PAYMENT_LABELS)], typed=request.form)
    except ImportRefused as error:
        return await _month_page(request, status=422, problems=error.problems, typed=request.form)
    except PaymentDiffers:
        number = request.form.get("reference", "").strip()
        problem = (
            "An invoice with this number has already been entered with other figures. Tick “Correct it” to replace them. "
            f"If the customer pays the invoice in parts, enter each further part with a number of its own, such as {number}-2, "
            "and leave what was entered for the first part."
        )
        return await _month_page(request, status=409, problems=[problem], typed=request.form)
    except RefundMoved as error:
        problem = (
            f"{error.repaid} was already paid back on {error.repaid_on}, and a payout or a statement has counted it since. "
            "For a second refund, keep that day and enter the sum of both amounts: the difference is taken from the next payout. "
            "If the day was wrong, first correct the payment with amount and day of the refund empty, then enter them."
        )
        return await _month_page(request, status=409, problems=[problem], typed=request.form)
    except _RatesRefused:
        return await _month_page(request, status=422)
    except EntryNotFound:
        return await _month_page(
            request, status=422, problems=["No referral has this lead. Check the lead’s reference."], typed=request.form
        )
    return redirect_in_office(f"/affiliates?done={do}" + (f"&{query}" if query and "done=" not in query else ""))


async def _enter_payment(request: OfficeRequest) -> None:
    values = {name: request.form[name] for name in _FIELDS if name in request.form}
    entry = PaymentEntry.model_validate(values, context={"today": _today(request)})
    is_correction = bool(request.form.get("correct"))
    await request.context.store.write(
        lambda session: payments.add_payment(session, entry, request.actor, is_correction=is_correction)
    )


def _mark_paid_out(session: Session, request: OfficeRequest) -> None:
    form = request.form
    shown_amount = _amount(form.get("amount", "")) or Decimal(0)
    partner_id, currency = parse_number(form.get("partner", "")), form.get("currency", "")
    rates = _rates(request)
    settings = request.context.settings
    payments.mark_paid_out(
        session,
        partner_id,
        _month(request),
        currency,
        shown_amount,
        request.actor,
        shown_count=parse_number(form.get("payouts", "0")),
        rates=rates,
        settings=settings,
    )


def _enter_money_back(session: Session, request: OfficeRequest) -> None:
    form = request.form
    typed = form.get("amount", "").strip()
    amount = Decimal(typed) if _AMOUNT_PATTERN.fullmatch(typed) else Decimal(0)
    shown_limit = _amount(form.get("limit", "")) or Decimal(0)
    partner_id, currency = parse_number(form.get("partner", "")), form.get("currency", "")
    payments.enter_money_back(
        session,
        partner_id,
        _month(request),
        currency,
        amount,
        request.actor,
        is_repayment=form.get("back") == "repaid",
        shown_limit=shown_limit,
        shown_count=parse_number(form.get("payouts", "0")),
        settings=request.context.settings,
    )


def _today(request: OfficeRequest) -> date:
    return request.context.settings.local_day(request.context.clock())


def _received_on(request: OfficeRequest) -> date | None:
    """Returns the typed day on which a notice arrived, or None for today. Raises NoticeDayRefused."""
    typed = request.form.get("received_on", "").strip()
    try:
        return date.fromisoformat(typed) if typed else None
    except ValueError:
        raise program.NoticeDayRefused from None


def _is_due(balance: Balance) -> bool:
    return balance.due > 0


def _by_hand_reason(partner: Partner, balance: Balance) -> str:
    """Returns why PayPal’s file cannot contain an amount, or ""."""
    if not is_paid_by_paypal(balance.currency):
        return f"PayPal does not take {balance.currency}"
    if escape_formulas(partner.paypal) != partner.paypal:
        return "a spreadsheet would read the PayPal address as a formula"
    return ""


def _is_over(request: OfficeRequest, month: date) -> bool:
    return _today(request) >= last_day(month)


def _month(request: OfficeRequest) -> date:
    """Returns the month of the URL, or the month before the present one, which is the next to be paid."""
    this_month = _today(request).replace(day=1)
    try:
        month = date.fromisoformat(request.query_params.get("month", "") + "-01")
    except ValueError:
        return add_months(this_month, -1)
    return min(max(month, date(2000, 1, 1)), date(2199, 12, 1))


def _rates(request: OfficeRequest) -> dict[str, Decimal]:
    """Returns the rates in the URL, such as "USD 1.27, THB 45.1": units of the currency for a pound. Raises _RatesRefused."""
    rates = {}
    for part in request.query_params.get("rates", "").split(",")[:50]:
        typed = part.strip()
        code, _, figure = typed.upper().partition(" ")
        is_rate = code in currency_codes() and _RATE_PATTERN.fullmatch(figure)
        if is_rate and _LOWEST_RATE <= Decimal(figure) <= _HIGHEST_RATE:
            rates[code] = Decimal(figure)
        elif typed:
            raise _RatesRefused(typed)
    return rates


def _amount(text: str) -> Decimal | None:
    try:
        amount = Decimal(text.strip()[:20])
    except InvalidOperation:
        return None
    return amount if amount.is_finite() else None
