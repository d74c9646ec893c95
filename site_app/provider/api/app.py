"""The API as an ASGI application, and its lifespan: opens the store, runs the background tasks, closes both.

Composes every mail that the provider sends, by the name of its template. /readyz says if a lead sent now would be stored; it is for load
balancers and monitors, cheap and without secrets.
"""

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from site_app.core.http.limits import Clock, Limits
from site_app.core.settings import Settings
from site_app.provider.affiliates import mails as affiliate_mails
from site_app.provider.affiliates import statements, terms
from site_app.provider.affiliates.pages import PARTNER_PAGE_ROUTES
from site_app.provider.api.calls import CALLS, count_page_view
from site_app.provider.api.openapi import docs_routes, document
from site_app.provider.api.tasks import Task, keep_sweeping, keep_writing_views, running, write_reminders_forever
from site_app.provider.booking import mails as meeting_mails
from site_app.provider.booking.caldav import EntryWriter
from site_app.provider.booking.calendar_reading import DayReader, read_calendars_forever
from site_app.provider.booking.pages import MEETING_PAGE_ROUTES
from site_app.provider.http.call import ApiContext, api_context_of
from site_app.provider.http.page_views import Pages, ViewCounts
from site_app.provider.http.refusals import busy_response, http_error_response, unexpected_error_response
from site_app.provider.http.tokens import Tokens, load_secret
from site_app.provider.http.uploads import PictureQueue, UploadQuota
from site_app.provider.http.visitor_country import CountryLookup
from site_app.provider.leads import mails as lead_mails
from site_app.provider.leads.endpoints import CONFIRMATION_ROUTES
from site_app.provider.office import people as office_mails
from site_app.provider.outbox import rows
from site_app.provider.outbox.courier import courier_for
from site_app.provider.outbox.mail_domains import MailDomains
from site_app.provider.publishing.builder import Builder
from site_app.provider.store import Store, StoreUnavailable, database_url
from site_app.provider.store.clock import SteadyClock, last_sweep_at
from site_app.provider.store.health import DatabaseProblem, database_problem
from site_app.provider.store.tables import NewOutbox, OutboxKind

MIN_FREE_BYTES = 50_000_000
_DISK_FULL = f"Less than {MIN_FREE_BYTES // 1_000_000} MB are free in SITE_VAR: make room."
KEEP_SECONDS = 3.0  # a result is cached for this time, so that frequent requests do not each write to the database

log = structlog.get_logger()


class Readiness:
    """Checks database and disk, and caches the result for some seconds. The database is checked by a write."""

    def __init__(self) -> None:
        self._checked_at = -KEEP_SECONDS
        self._check: asyncio.Task[_Verdict] | None = None
        self._problem = ""

    async def respond(self, request: Request) -> Response:
        """Responds with 200 if the database accepts writes and the disk has room, else 503. The body names the failing part and the reason."""
        context = api_context_of(request)
        verdict = await self._verdict(context.store, context.settings.var)
        parts: dict[str, bool | str] = {"database": verdict.database is None, "disk": verdict.has_room}
        if verdict.problem:
            parts["problem"] = verdict.problem
        return JSONResponse(parts, status_code=503 if verdict.problem else 200, headers={"Cache-Control": "no-store"})

    async def _verdict(self, store: Store, directory: Path) -> "_Verdict":
        if self._check is None or (self._check.done() and time.monotonic() - self._checked_at >= KEEP_SECONDS):
            self._checked_at = time.monotonic()
            self._check = asyncio.create_task(self._run_check(store, directory))
        return await asyncio.shield(self._check)  # a disconnecting client must not cancel the check for the others

    async def _run_check(self, store: Store, directory: Path) -> "_Verdict":
        """Runs the check. Logs a problem only when it changes."""
        has_room = shutil.disk_usage(directory).free >= MIN_FREE_BYTES
        verdict = _Verdict(await database_problem(store), has_room)
        if verdict.problem != self._problem:
            self._problem = verdict.problem
            if verdict.problem:
                log.error("site.not_ready", problem=verdict.problem, error=verdict.database and verdict.database.message)
            else:
                log.warning("site.ready_again")
        return verdict


@dataclass(frozen=True)
class _Verdict:
    """The result of a check. `problem` is a sentence for the public, or "" if a lead would be stored."""

    database: DatabaseProblem | None
    has_room: bool

    @property
    def problem(self) -> str:
        if self.database:
            return self.database.sentence
        return "" if self.has_room else _DISK_FULL


TEMPLATES = (
    lead_mails.TEMPLATES
    | meeting_mails.TEMPLATES
    | office_mails.TEMPLATES
    | affiliate_mails.TEMPLATES
    | statements.TEMPLATES
    | terms.TEMPLATES
)


def compose(row: NewOutbox, settings: Settings) -> bytes:
    """Returns the MIME message of a row of the outbox."""
    return rows.compose(row, TEMPLATES[row.template], settings)


def _now() -> datetime:
    return datetime.now(UTC)


def make_api(settings: Settings, pages: Pages | None = None, extra_routes: Sequence[Route] = ()) -> Starlette:
    """Returns the API without its context. It can answer once its lifespan or `open_provider` has created the context.

    Views of these `pages` are counted. `extra_routes` are served in addition to its own, such as those of the office.
    """
    routes = [Route(call.path, call.serve, methods=[call.method]) for call in CALLS]
    routes += [
        *docs_routes(document(CALLS, title=settings.brand_name, url=settings.api_address)),
        Route("/v1.0/pageView", partial(count_page_view, pages=pages or {}), methods=["POST"]),
        Route("/readyz", Readiness().respond),
    ]

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with open_provider(app, settings):
            yield

    routes += [*MEETING_PAGE_ROUTES, *PARTNER_PAGE_ROUTES, *CONFIRMATION_ROUTES, *extra_routes]
    handlers = {HTTPException: http_error_response, StoreUnavailable: busy_response, Exception: unexpected_error_response}
    api = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    api.router.redirect_slashes = False  # the redirect would go to the host of the Host header, over http
    return api


@asynccontextmanager
async def open_provider(api: Starlette, settings: Settings, machine: Clock = _now) -> AsyncIterator[ApiContext]:
    """Opens the API's context and runs all background tasks during the block. The tables must be up to date."""
    async with _open_context(api, settings, machine) as context:
        clock = context.clock
        store = context.store
        entries = EntryWriter(store, settings, clock)
        courier = courier_for(settings, store, compose, clock, {OutboxKind.CALENDAR_WRITE: entries.deliver})
        read_day = DayReader(store, settings, clock)
        builder = Builder(store, settings, clock)

        def wake() -> None:
            courier.wake()
            builder.wake()

        api.state.context = context = replace(context, wake=wake, read_calendars=read_day)
        tasks = {
            "courier": courier.run,
            **_site_tasks(context),
            "reminders": lambda: write_reminders_forever(store, settings, clock, courier.wake),
            "calendar": lambda: read_calendars_forever(store, settings, clock),
            **({"builder": builder.run} if settings.publish else {}),
        }
        async with running(tasks):
            yield context


@asynccontextmanager
async def open_visitor_services(api: Starlette, settings: Settings, machine: Clock = _now) -> AsyncIterator[ApiContext]:
    """Opens the part of the API that belongs to the site even if the provider runs elsewhere: page views and country lookup."""
    async with _open_context(api, settings, machine) as context, running(_site_tasks(context)):
        yield context


def _site_tasks(context: ApiContext) -> Mapping[str, Task]:
    return {
        "sweep": lambda: keep_sweeping(context.store, context.settings, context.clock),
        "views": lambda: keep_writing_views(context.views, context.store),
    }


@asynccontextmanager
async def _open_context(api: Starlette, settings: Settings, machine: Clock) -> AsyncIterator[ApiContext]:
    store = Store(database_url(settings.database_url, settings.var))
    clock = SteadyClock(machine, await store.read(last_sweep_at))
    lookup = CountryLookup(settings.country_lookup_url)
    limits = Limits(settings)
    pictures = PictureQueue()
    api.state.context = ApiContext(
        settings=settings,
        limits=limits,
        clock=clock,
        store=store,
        tokens=Tokens(load_secret(settings), clock),
        lookup=lookup,
        mail_domains=MailDomains(),
        uploads=UploadQuota(settings, clock),
        pictures=pictures,
        views=ViewCounts(),
    )
    try:
        yield api.state.context
    finally:
        pictures.close()
        await lookup.close()
        await limits.close()
        await asyncio.to_thread(store.close)
