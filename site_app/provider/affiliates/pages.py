"""/partners/<token>: a partner's own page with links, referrals and statements. GET changes nothing."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import partial, wraps
from pathlib import Path
from typing import Any

import segno
from pydantic import TypeAdapter, ValidationError
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from site_app.contracts.fields import Email
from site_app.core import business
from site_app.core.http.pages import asset_route, form_of, plain_endpoint, render_notice, render_page, routes_for
from site_app.core.i18n import href, t, tn
from site_app.core.i18n.clocks import date_words
from site_app.core.settings import Settings
from site_app.provider.affiliates import payments, program
from site_app.provider.affiliates.ledger import (
    POUNDS,
    Balance,
    CommissionLine,
    PaymentFacts,
    Reason,
    ReferralFacts,
    Standing,
    Statement,
    add_months,
    last_chance,
    notice_ends,
    standing,
)
from site_app.provider.affiliates.mails import TERMS_PATH, link_hint, share_urls
from site_app.provider.affiliates.statements import CARRY_REASONS, has_movement, money, month_words
from site_app.provider.affiliates.terms import Exclusion, Terms, terms_of, version_words
from site_app.provider.http.call import ApiContext
from site_app.provider.http.refusals import EntryNotFound
from site_app.provider.store.tables import Partner, PartnerState

COPY_SCRIPT_ROUTE = asset_route("/plain", Path(__file__).with_name("copy.js"), "text/javascript")
_MAX_MONTHS = 36  # shown, newest first
_EMAIL = TypeAdapter(Email)


@dataclass(frozen=True)
class _Account:
    """All that a partner's page shows."""

    partner: Partner
    referrals: Sequence[ReferralFacts]
    payments: Sequence[PaymentFacts]
    statements: Sequence[Statement]
    terms: Terms


def _with_partner_token(
    handler: Callable[[ApiContext, Request, str], Awaitable[Response]],
) -> Callable[[ApiContext, Request], Awaitable[Response]]:
    """Responds with a page if nobody has the link's token."""

    @wraps(handler)
    async def respond(context: ApiContext, request: Request) -> Response:
        try:
            return await handler(context, request, request.path_params["token"])
        except EntryNotFound:
            text = t("The link is incomplete, or a newer one has replaced it. Please use the link in our latest email.")
            way_on = t("Send us a message"), href("/contact-us")
            return render_notice(context, request, t("This link no longer works"), text, way_on, status=404)

    return respond


@plain_endpoint("submissions")
@_with_partner_token
async def partner_page(context: ApiContext, request: Request, token: str) -> Response:
    """GET shows the page, POST changes the PayPal address or gives notice."""
    if request.method != "POST":
        return await _page(context, request, token)
    form = await form_of(request)
    settings = context.settings
    now = context.clock()
    if form.get("do") == "leave":
        await context.store.write(partial(program.leave, token=token, settings=settings, now=now))
        context.wake()
        return RedirectResponse(href(f"/partners/{token}") + "?done=left", 303)
    if form.get("do") != "paypal":
        return await _page(context, request, token)
    typed = form.get("paypal", "").strip()
    try:
        address = _EMAIL.validate_python(typed)
    except ValidationError:
        return await _page(context, request, token, typed=typed[:254], status=422)
    change = partial(program.change_paypal, token=token, address=address, settings=settings, now=now)
    is_changed = await context.store.write(change)
    context.wake()
    return RedirectResponse(href(f"/partners/{token}") + f"?done={'paypal' if is_changed else 'same-paypal'}", 303)


async def _page(context: ApiContext, request: Request, token: str, *, typed: str | None = None, status: int = 200) -> Response:
    today = context.settings.local_day(context.clock())
    account = await context.store.read(partial(_account, token=token, today=today, settings=context.settings))
    partner = account.partner
    notice = request.query_params.get("done", "")
    template_values: dict[str, Any] = {
        "notice": _NOTICES[notice]() if notice in _NOTICES and (notice != "left" or partner.ends_on) else "",
        "fault": t("Please enter a valid email address") if typed is not None else "",
        "facts": _facts(account, today),
        "links": [] if program.has_ended(partner, today) else _links(partner, context),
        "link_hint": link_hint(share_urls(partner.code, context.settings).short),
        "qr_code": _qr_code(share_urls(partner.code, context.settings).short),
        "copy_script": COPY_SCRIPT_ROUTE.path,
        "months": [_month(account, statement, today) for statement in account.statements],
        "paypal": partner.paypal if typed is None else typed,
        "may_leave": partner.notice_on is None or account.terms.can_be_refused(today),
        "leave_text": t(
            "If you give notice today, your agreement ends on {date}. Commission on payments received before that day is paid as usual, even below the threshold.",
            date=date_words(partner.ends_on or notice_ends(today)),
        ),
        "terms": href(TERMS_PATH),
        "rules": _rules(today),
    }
    return render_page(
        context,
        request,
        "partner.html",
        t("Your affiliate page"),
        package="site_app.provider.affiliates",
        status=status,
        **template_values,
    )


def _account(session: Session, token: str, today: date, settings: Settings) -> _Account:
    partner = program.partner_by_token(session, token)
    book = payments.book_of(session, partner)
    month = today.replace(day=1)
    months = [add_months(month, -number) for number in range(_MAX_MONTHS)]
    first = partner.approved_on.replace(day=1)
    statements = [book.statement(month) for month in months if month >= first]
    terms = terms_of(session, partner, today, settings=settings)
    return _Account(partner, book.referrals, book.payments, statements, terms)


def _links(partner: Partner, context: ApiContext) -> list[tuple[str, str, str]]:
    """Returns id, label and address of each link."""
    urls = share_urls(partner.code, context.settings)
    return [
        ("long-link", t("Your referral link"), urls.long),
        ("short-link", t("The same link, short"), urls.short),
        ("form-link", t("Link to the contact form"), urls.form),
    ]


def _qr_code(url: str) -> str:
    """Returns the address as SVG, black on white in every theme, because some readers know nothing else."""
    return segno.make(url, error="m", micro=False).svg_inline(dark="#000", light="#fff", border=4, omitsize=True)


def _facts(account: _Account, today: date) -> list[tuple[str, str, str]]:
    partner = account.partner
    terms = account.terms
    facts = [
        (t("PayPal address"), "", partner.paypal),
        (t("Affiliate since"), "", date_words(partner.approved_on)),
        (t("Terms that apply now"), "", version_words(terms.in_force)),
    ]
    if terms.exclusion:
        facts.append((t("New terms"), "", _EXCLUSIONS[terms.exclusion]()))
    elif terms.applies_on and terms.applies_on > today:
        facts.append((t("New terms"), "", t("apply from {date}", date=date_words(terms.applies_on))))
    if partner.ends_on:
        facts.append((t("Agreement ends"), "", date_words(partner.ends_on)))
    if partner.state == PartnerState.SUSPENDED and not program.has_ended(partner, today):
        facts.append((t("Your link"), "", t("suspended while we look into something; please contact us")))
    return facts


def _month(account: _Account, statement: Statement, today: date) -> dict[str, Any]:
    in_month = [referral for referral in account.referrals if referral.first_submission_on.replace(day=1) == statement.month]
    return {
        "name": month_words(statement.month),
        "referrals": [(referral.reference, _referral_words(referral, account, today)) for referral in in_month],
        "lines": [_line(line) for line in statement.lines],
        "balances": [_balance(balance) for balance in statement.balances if has_movement(balance)],
    }


def _referral_words(referral: ReferralFacts, account: _Account, today: date) -> str:
    ends_on = account.partner.ends_on
    words = _STANDINGS[standing(referral, account.payments, today, ends_on=ends_on)]
    return t(
        "first contact on {date}; {standing}",
        date=date_words(referral.first_submission_on),
        standing=words(last_chance(referral, ends_on)),
    )


def _line(line: CommissionLine) -> tuple[str, str, str, str]:
    refund = t("refunded") if line.commission < 0 and not line.reason else ""
    reason = _REASONS[line.reason]() if line.reason else refund
    return line.referral, money(line.net, line.currency), money(line.commission, line.currency), reason


def _balance(balance: Balance) -> dict[str, str]:
    if balance.is_paid:
        returned = t("{amount} came back to us", amount=money(balance.returned, balance.currency)) if balance.returned else ""
        state = "; ".join(filter(None, (t("paid") if balance.payout > 0 else "", returned)))
    else:
        state = CARRY_REASONS[balance.carry_reason]() if balance.carry_reason else ""
    if not state and balance.payout:
        state = t("due by {date}", date=date_words(balance.pay_by)) if balance.pay_by else t("due")
    figures = {
        "carried_in": balance.carried_in,
        "earned": balance.earned,
        "payout": balance.payout,
        "forfeited": balance.forfeited,
        "carried_out": balance.carried_out,
    }
    return {"currency": balance.currency, "state": state} | {
        name: money(amount, balance.currency) if amount or name != "forfeited" else "" for name, amount in figures.items()
    }


def _rules(today: date) -> list[str]:
    threshold = money(Decimal(business.PAYOUT_THRESHOLD_POUNDS), POUNDS)
    return [
        t(
            "A referral counts if it enters into a contract and makes its first payment within {months} months of first contacting us through your link. If it pays monthly, the contract must run for at least {term}. It must not have been our customer already, nor in talks with us about a project in the {days} days before it first contacted us through your link.",
            term=tn("one month", "{count} months", business.MINIMUM_SUBSCRIPTION_MONTHS),
            months=business.CONVERSION_MONTHS,
            days=business.PRIOR_OPPORTUNITY_DAYS,
        ),
        t(
            "You earn {percent}% of each net payment (under a multi-year contract, of those in {years}), and we pay it within {days} days of receiving the payment.",
            percent=business.commission_percent(today),
            years=tn("the first year", "the first {count} years", business.COMMISSION_YEARS),
            days=business.PAYOUT_DAYS,
        ),
        t(
            "The first payout in a currency is made once {threshold}, or its equivalent in that currency, has accrued; until then the amount is carried over.",
            threshold=threshold,
        ),
    ]


_NOTICES: dict[str, Callable[[], str]] = {
    "paypal": lambda: t("Your PayPal address is saved. We’ve emailed you a confirmation."),
    "same-paypal": lambda: t("That is already your PayPal address."),
    "left": lambda: t("You’ve given notice to leave the programme."),
}
_EXCLUSIONS: dict[Exclusion, Callable[[], str]] = {
    Exclusion.NOTICE: lambda: t("do not apply to you: you gave notice in time"),
    Exclusion.END: lambda: t("do not apply to you: your agreement ends first"),
}
_STANDINGS: dict[Standing, Callable[[date], str]] = {
    Standing.OPEN: lambda last_chance: t("can become a customer until {date}", date=date_words(last_chance)),
    Standing.CUSTOMER: lambda _: t("is a customer"),
    Standing.EXPIRED: lambda last_chance: t("did not become a customer by {date}", date=date_words(last_chance)),
    Standing.PRIOR_CONTACT: lambda _: t(
        "does not count for now: we were in contact with it in the {days} days before; if you think that was not about a project, tell us",
        days=business.PRIOR_OPPORTUNITY_DAYS,
    ),
    Standing.EARLIER_CUSTOMER: lambda _: t("does not count: it was already our customer"),
    Standing.DECLINED: lambda _: t("does not count under the terms: contact us and we’ll tell you why"),
}
_REASONS: dict[Reason, Callable[[], str]] = {
    Reason.NOT_RECEIVED: lambda: t("not received yet"),
    Reason.UNPAID: lambda: t("the customer has not paid within {days} days of the due date", days=business.UNPAID_DAYS),
    Reason.DECLINED: lambda: t("the referral does not count under the terms: contact us and we’ll tell you why"),
    Reason.PRIOR_CONTACT: lambda: t(
        "we were in contact with the customer in the {days} days before it contacted us through your link; if you think that was not about a project, tell us",
        days=business.PRIOR_OPPORTUNITY_DAYS,
    ),
    Reason.EARLIER_CUSTOMER: lambda: t("the customer was ours before it contacted us through your link"),
    Reason.LATE_CUSTOMER: lambda: t("the contract or the first payment came after the conversion window"),
    Reason.SHORT_SUBSCRIPTION: lambda: tn(
        "the subscription is shorter than {count} month",
        "the subscription is shorter than {count} months",
        business.MINIMUM_SUBSCRIPTION_MONTHS,
    ),
    Reason.AFTER_FIRST_YEARS: lambda: t(
        "multi-year contract: no commission after {years}",
        years=tn("the first year", "the first {count} years", business.COMMISSION_YEARS),
    ),
    Reason.BEFORE_APPROVAL: lambda: t("received before you joined"),
    Reason.AFTER_END: lambda: t("received after your agreement ended"),
    Reason.REPAID: lambda: t("paid back to the customer, in whole or in part"),
}

PARTNER_PAGE_ROUTES = [COPY_SCRIPT_ROUTE, *routes_for("/partners/{token}", partner_page, "GET", "POST")]
