"""The routes of the office, and its simple pages: views, mail, state, log."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any

from sqlmodel import Session
from starlette.responses import Response
from starlette.routing import Route

from site_app.contracts.drafts import ContentSite
from site_app.core.child_process import run_module
from site_app.core.settings import Settings
from site_app.provider.office import actions, affiliate_pages, inbox, lead_pages, meeting_pages, report
from site_app.provider.office.access import OfficeRequest, office_endpoint, signed_in
from site_app.provider.office.content.pages import content_routes
from site_app.provider.office.content.translations import translation_routes
from site_app.provider.office.frame import EDITOR_SCRIPT_ROUTE, SCRIPT_ROUTE, STYLE_ROUTE, redirect_in_office
from site_app.provider.office.session_pages import own_sessions, request_link, use_link
from site_app.provider.office.typed_values import parse_number
from site_app.provider.outbox import rows as outbox
from site_app.provider.outbox.mailboxes import MAILS_A_DAY
from site_app.provider.outbox.notices import target_states
from site_app.provider.store.audit_log import audit_entries

_LOG_SHOWN = 100
_FAILED_SHOWN, _MAX_COUNTED = 50, 10_000  # of the outbox
_MAX_DOCTOR_SECONDS = 60
# A run takes some seconds of CPU, so its result is shared. Somebody who has fixed something waits this long to see it.
_SHARED_SECONDS = 15.0


def office_routes(settings: Settings, site: ContentSite | None = None) -> list[Route]:
    """Returns all routes of the office, or none if SITE_OFFICE names nobody. Without a `site` there are no texts to write."""
    if not settings.office:
        return []
    get, both = ["GET"], ["GET", "POST"]
    return [
        STYLE_ROUTE,
        SCRIPT_ROUTE,
        EDITOR_SCRIPT_ROUTE,
        Route("/office/sign-in", office_endpoint(request_link), methods=both),
        Route("/office/enter/{token}", office_endpoint(use_link), methods=both),
        Route("/office", signed_in(lead_pages.inbox_page), methods=get),
        Route("/office/", signed_in(lead_pages.inbox_page), methods=get),
        Route("/office/leads.{format:str}", signed_in(lead_pages.export), methods=get),
        Route("/office/person.json", signed_in(lead_pages.person_file), methods=get),
        Route("/office/leads/{reference}", signed_in(lead_pages.lead_page), methods=both),
        Route("/office/leads/{reference}/files/{name}", signed_in(lead_pages.attached_file), methods=get),
        Route("/office/leads/{reference}/move", signed_in(meeting_pages.move), methods=both),
        Route("/office/calls", signed_in(meeting_pages.week_page), methods=both),
        Route("/office/affiliates", signed_in(affiliate_pages.month_page), methods=both),
        Route("/office/affiliates/paypal", signed_in(affiliate_pages.paypal_page), methods=get),
        Route("/office/affiliates/paypal.csv", signed_in(affiliate_pages.mass_payout), methods=get),
        Route("/office/affiliates/{number}", signed_in(affiliate_pages.partner_page), methods=both),
        Route("/office/views", signed_in(partial(_views_page, reports=report.SharedReports())), methods=get),
        Route("/office/mail", signed_in(_mail_page), methods=both),
        Route("/office/state", signed_in(Checkup().show), methods=get),
        Route("/office/log", signed_in(_log_page), methods=get),
        Route("/office/people", signed_in(own_sessions, area="own sessions"), methods=both),
        *([*content_routes(settings, site), *translation_routes(settings, site)] if site else []),
    ]


async def _views_page(request: OfficeRequest, reports: report.SharedReports) -> Response:
    requested_days = parse_number(request.query_params.get("days", ""))
    days = requested_days if requested_days in report.PERIODS else 30
    now = request.context.clock()
    counted = await reports.read(request.context.store, days=days, now=now)
    template_values = {"report": counted.report, "days": days, "periods": report.PERIODS, **inbox.TEMPLATE_FUNCTIONS}
    return request.render("views.html", "Views", counted_at=None if counted.at == now else counted.at, **template_values)


async def _mail_page(request: OfficeRequest) -> Response:
    context = request.context
    form = request.form
    tasks: dict[str, Callable[[Session], object]] = {
        "retry": lambda session: actions.retry(session, request.actor, form.get("reference") or None),
        "test": lambda session: actions.send_test_mail(session, request.person.address, request.actor, context.settings),
        "test-notice": lambda session: actions.send_test_notice(
            session, form.get("target", ""), request.actor, context.settings
        ),
    }
    if task := tasks.get(form.get("do", "")):
        await context.store.write(task)
        context.wake()
        return redirect_in_office(f"/mail?done={form['do']}")

    def read_rows(session: Session) -> dict[str, Any]:
        states = target_states(session, context.settings)
        rows = {"counts": outbox.counts_up_to(session, _MAX_COUNTED), "failed": outbox.failed_rows(session, _FAILED_SHOWN)}
        return {**rows, "targets": states}

    template_values = {"mails_a_day": MAILS_A_DAY, "most_counted": _MAX_COUNTED, "mail_words": inbox.mail_words}
    return request.render("mail.html", "Email", **await context.store.read(read_rows), **template_values)


class Checkup:
    """The page of the site's state. Requests during a run of `doctor` and shortly after it share its result."""

    def __init__(self) -> None:
        self._run: asyncio.Task[list[dict[str, str]]] | None = None
        self._ended_at = 0.0

    async def show(self, request: OfficeRequest) -> Response:
        if self._run is None or (self._run.done() and monotonic() - self._ended_at >= _SHARED_SECONDS):
            self._run = asyncio.create_task(self._doctor())
        findings = await asyncio.shield(self._run)  # a cancelled request must not cancel the run for the others
        return request.render("state.html", "State of the site", findings=findings)

    async def _doctor(self) -> list[dict[str, str]]:
        try:
            return await doctor()
        finally:
            self._ended_at = monotonic()


async def doctor() -> list[dict[str, str]]:
    """Runs the command `doctor` in a child process and returns its findings, each with subject, state, message and fix."""
    output = await run_module("site_app", "doctor", "--json", seconds=_MAX_DOCTOR_SECONDS)
    try:
        return json.loads(output)
    except ValueError:  # it was killed, took too long, or broke off while writing
        return [{"subject": "doctor", "state": "failure", "message": "It did not respond.", "fix": "Run it in a shell."}]


async def _log_page(request: OfficeRequest) -> Response:
    before_number = max(0, parse_number(request.query_params.get("before", ""))) or None
    entries = await request.context.store.read(
        lambda session: audit_entries(session, before=before_number, limit=_LOG_SHOWN + 1)
    )
    older = entries[_LOG_SHOWN - 1].id if len(entries) > _LOG_SHOWN else None
    return request.render("log.html", "Log", history=entries[:_LOG_SHOWN], older=older)
