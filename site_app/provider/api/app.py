"""The API as an ASGI application, and its lifespan: opens the store, runs the background tasks, closes both."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route

from site_app.core.http.context import Clock
from site_app.core.http.limits import Limits
from site_app.core.http.paths import API
from site_app.core.settings import Settings
from site_app.provider.affiliates.pages import PARTNER_PAGE_ROUTES
from site_app.provider.api.calls import CALLS, count_page_view
from site_app.provider.api.mails import compose
from site_app.provider.api.openapi import docs_routes, document
from site_app.provider.api.readiness import Readiness
from site_app.provider.api.tasks import Task, maintain_forever, running, write_reminders_forever, write_views_forever
from site_app.provider.booking.calendar_entries import EntryWriter
from site_app.provider.booking.calendar_reading import DayReader, read_calendars_forever
from site_app.provider.booking.pages import MEETING_PAGE_ROUTES
from site_app.provider.http.call import ApiContext
from site_app.provider.http.picture_queue import PictureQueue
from site_app.provider.http.refusals import busy_response, http_error_response, unexpected_error_response
from site_app.provider.http.tokens import Tokens, load_secret
from site_app.provider.http.upload_quota import UploadQuota
from site_app.provider.insights.page_views import PageTags, ViewCounts
from site_app.provider.insights.visitor_country import CountryLookup
from site_app.provider.leads.pages import CONFIRMATION_ROUTES
from site_app.provider.outbox.courier import courier_for
from site_app.provider.outbox.mail_domains import MailDomains
from site_app.provider.publishing.builder import Builder
from site_app.provider.store import Store, StoreUnavailable, database_url
from site_app.provider.store.clock import SteadyClock, last_sweep_at
from site_app.provider.store.tables import OutboxKind


def _now() -> datetime:
    return datetime.now(UTC)


def make_api(settings: Settings, page_tags: PageTags | None = None, extra_routes: Sequence[Route] = ()) -> Starlette:
    """Returns the API without its context. It can answer once its lifespan or `open_provider` has created the context.

    Views of the pages in `page_tags` are counted. `extra_routes` are served in addition to its own, such as those of the office.
    """
    routes = [Route(call.path, call.serve, methods=[call.method]) for call in CALLS]
    routes += [
        *docs_routes(document(CALLS, title=settings.brand_name, url=settings.api_url)),
        Route(f"{API}/pageView", partial(count_page_view, page_tags=page_tags or {}), methods=["POST"]),
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
        refresh_day_of = DayReader(store, settings, clock)
        builder = Builder(store, settings, clock)

        def wake() -> None:
            courier.wake()
            builder.wake()

        api.state.context = context = replace(context, wake=wake, refresh_day_of=refresh_day_of)
        tasks = {
            "courier": courier.deliver_forever,
            **_site_tasks(context),
            "reminders": lambda: write_reminders_forever(store, settings, clock, courier.wake),
            "calendar": lambda: read_calendars_forever(store, settings, clock),
            **({"builder": builder.build_forever} if settings.publish else {}),
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
        "maintenance": lambda: maintain_forever(context.store, context.settings, context.clock),
        "views": lambda: write_views_forever(context.views, context.store),
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
