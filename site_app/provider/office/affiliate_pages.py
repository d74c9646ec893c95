"""The affiliate program in the office: a month's payouts, payments of customers, and each partner's page."""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import partial
from io import StringIO
from typing import Any
from urllib.parse import urlencode

from pydantic import ValidationError
from sqlmodel import Session, col, select
from starlette.responses import Response

from site_app.contracts.fields import currency_codes
from site_app.core.http.pages import PAGE_HEADERS
from site_app.provider.affiliates import payments, program
from site_app.provider.affiliates.ledger import Balance, Billing, Statement, add_months, last_day, standing
from site_app.provider.affiliates.mails import share_urls
from site_app.provider.affiliates.payments import ImportRefused, PaymentDiffers, PaymentEntry, problem_words
from site_app.provider.affiliates.terms import Terms, terms_of
from site_app.provider.http.refusals import EntryNotFound
from site_app.provider.leads.export import escape_formulas
from site_app.provider.office.access import Visit
from site_app.provider.office.page import parse_number, redirect_in_office
from site_app.provider.store.tables import AffiliateEntry, Partner, Payout, Referral

_FIELDS = tuple(PaymentEntry.model_fields)
_MAX_ENTRIES = 50  # of a partner's log


@dataclass(frozen=True)
class _PartnerMonth:
    """`rates` are those of first payouts that were made, by currency."""

    partner: Partner
    statement: Statement
    terms: Terms
    rates: Mapping[str, Decimal]


async def month_page(visit: Visit) -> Response:
    """GET shows what each partner is due for a month; POST enters or imports payments, or marks an amount as paid."""
    if visit.request.method == "POST":
        return await _change_month(visit)
    return await _month_page(visit)


async def mass_payout(visit: Visit) -> Response:
    """Returns the month's amounts that are due and not marked as paid, as a file for PayPal's mass payout."""
    listed = await visit.context.store.read(partial(_partner_months, month=_month(visit), rates=_rates(visit)))
    out = StringIO()
    writer = csv.writer(out)
    for entry in listed:
        for balance in entry.statement.balances:
            if _is_due(balance):
                note = f"Commission {entry.statement.month:%Y-%m}"
                writer.writerow(
                    [escape_formulas(entry.partner.paypal), balance.payout, balance.currency, entry.partner.code, note]
                )
    name = f"paypal-{_month(visit):%Y-%m}.csv"
    headers = {**PAGE_HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(out.getvalue(), media_type="text/csv", headers=headers)


async def partner_page(visit: Visit) -> Response:
    """GET shows a partner with referrals and log; POST judges a referral, suspends, gives notice, ends the agreement, or mails a link."""
    partner_id = parse_number(visit.request.path_params["number"])
    if visit.request.method != "POST":
        return await _partner_page(visit, partner_id)
    actor = {"person": visit.person.address, "now": visit.context.clock()}
    lead = visit.form.get("lead", "")
    settings = visit.context.settings
    tasks: dict[str, Callable[[Session], object]] = {
        "count": lambda session: program.set_referral_declined(session, lead, False, **actor),
        "decline": lambda session: program.set_referral_declined(session, lead, True, **actor),
        "suspend": lambda session: program.suspend(session, partner_id, True, **actor),
        "resume": lambda session: program.suspend(session, partner_id, False, **actor),
        "notice": lambda session: program.give_notice(session, partner_id, settings=settings, **actor),
        "end": lambda session: program.end_at_once(
            session, partner_id, visit.form.get("rest") == "forfeit", settings=settings, **actor
        ),
        "link": lambda session: program.mail_link(session, partner_id, settings=settings, **actor),
    }
    do = visit.form.get("do", "")
    if do not in tasks:
        return redirect_in_office(f"/affiliates/{partner_id}")
    await visit.context.store.write(tasks[do])
    visit.context.wake()
    return redirect_in_office(f"/affiliates/{partner_id}?done={do if do in ('link', 'notice', 'end') else 'handle'}")


async def _partner_page(visit: Visit, partner_id: int) -> Response:
    today = visit.context.clock().date()
    month = _month(visit)

    def look(session: Session) -> dict[str, Any]:
        partner = program.partner_by_id(session, partner_id)
        referrals = session.exec(
            select(Referral).where(Referral.partner_id == partner_id).order_by(col(Referral.id).desc())
        ).all()
        own_payments = payments.payments_of(session, partner)
        standings = {
            referral.reference: standing(referral, own_payments, today) for referral in payments.referrals_of(session, partner)
        }
        log = select(AffiliateEntry).where(AffiliateEntry.partner_id == partner_id).order_by(col(AffiliateEntry.id).desc())
        return {
            "partner": partner,
            "terms": terms_of(session, partner),
            "has_ended": program.has_ended(partner, today),
            "referrals": referrals,
            "standings": standings,
            "payments": own_payments,
            "statement": payments.statement_of(session, partner, month),
            "log": session.exec(log.limit(_MAX_ENTRIES)).all(),
        }

    values = await visit.context.store.read(look)
    partner = values["partner"]
    links = share_urls(partner.code, visit.context.settings)
    return visit.show("partner.html", partner.name or partner.code, links=links, month=month, **values)


async def _month_page(visit: Visit, *, status: int = 200, **values: Any) -> Response:
    month = _month(visit)
    rates = _rates(visit)
    listed = await visit.context.store.read(partial(_partner_months, month=month, rates=rates))
    query = visit.request.query_params.get("rates", "")
    page_values: dict[str, Any] = {
        "month": month,
        "before": f"{add_months(month, -1):%Y-%m}",
        "after": f"{add_months(month, 1):%Y-%m}",
        "is_over": visit.context.clock().date() >= last_day(month),
        "listed": listed,
        "is_due": _is_due,
        "rates": query,
        "query": urlencode({"month": f"{month:%Y-%m}", "rates": query}),
        "problems": (),
        "typed": {},
        "billings": [(billing.value, billing.value) for billing in Billing],
        "fields": _FIELDS,
    }
    return visit.show("affiliates.html", f"Affiliates, {month:%B %Y}", status=status, **(page_values | values))


def _partner_months(session: Session, month: date, rates: Mapping[str, Decimal]) -> list[_PartnerMonth]:
    partners = session.exec(select(Partner).order_by(col(Partner.id))).all()
    used = session.exec(select(Payout).where(Payout.month == month, col(Payout.rate).is_not(None))).all()
    return [
        _PartnerMonth(
            partner,
            payments.statement_of(session, partner, month, rates=rates),
            terms_of(session, partner),
            {payout.currency: payout.rate for payout in used if payout.partner_id == partner.id and payout.rate},
        )
        for partner in partners
    ]


async def _change_month(visit: Visit) -> Response:
    actor = {"person": visit.person.address, "now": visit.context.clock()}
    do = visit.form.get("do", "")
    query = visit.request.url.query
    store = visit.context.store
    try:
        if do == "payment":
            await _enter(visit, actor)
        elif do == "import":
            await store.write(partial(payments.import_csv, text=visit.form.get("file", ""), **actor))
        elif do == "pay":
            await store.write(partial(_pay, visit=visit, actor=actor))
        else:
            return redirect_in_office("/affiliates")
    except ValidationError as error:
        return await _month_page(visit, status=422, problems=[problem_words(error)], typed=visit.form)
    except ImportRefused as error:
        return await _month_page(visit, status=422, problems=error.problems, typed=visit.form)
    except PaymentDiffers:
        problem = "A payment with this reference was entered with other figures. Tick “Correct it” to replace them."
        return await _month_page(visit, status=409, problems=[problem], typed=visit.form)
    except EntryNotFound:
        return await _month_page(visit, status=422, problems=["No referral has this lead."], typed=visit.form)
    return redirect_in_office(f"/affiliates?done={do}" + (f"&{query}" if query and "done=" not in query else ""))


async def _enter(visit: Visit, actor: Mapping[str, Any]) -> None:
    entry = PaymentEntry.model_validate({name: visit.form[name] for name in _FIELDS if name in visit.form})
    is_correction = bool(visit.form.get("correct"))
    await visit.context.store.write(lambda session: payments.add_payment(session, entry, is_correction=is_correction, **actor))


def _pay(session: Session, visit: Visit, actor: Mapping[str, Any]) -> None:
    form = visit.form
    shown_amount = _amount(form.get("amount", "")) or Decimal(0)
    currency = form.get("currency", "")
    rates = _rates(visit)
    payments.mark_paid_out(
        session, parse_number(form.get("partner", "")), _month(visit), currency, shown_amount, rates=rates, **actor
    )


def _is_due(balance: Balance) -> bool:
    return balance.payout > 0 and not balance.is_paid


def _month(visit: Visit) -> date:
    """Returns the month of the URL, or the month before the present one, which is the next to be paid."""
    this_month = visit.context.clock().date().replace(day=1)
    try:
        month = date.fromisoformat(visit.request.query_params.get("month", "") + "-01")
    except ValueError:
        return add_months(this_month, -1)
    return min(max(month, date(2000, 1, 1)), date(2199, 12, 1))


def _rates(visit: Visit) -> dict[str, Decimal]:
    """Returns the rates in the URL, such as "USD 1.27, THB 45.1": units of the currency for a pound. Others are left out."""
    rates = {}
    for part in visit.request.query_params.get("rates", "").upper().split(",")[:50]:
        code, _, figure = part.strip().partition(" ")
        rate = _amount(figure)
        if code in currency_codes() and rate is not None and rate > 0:
            rates[code] = rate
    return rates


def _amount(text: str) -> Decimal | None:
    try:
        amount = Decimal(text.strip()[:20])
    except InvalidOperation:
        return None
    return amount if amount.is_finite() else None
