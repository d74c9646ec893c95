"""The API as an application, and its life: open the store, run what works in the background, close cleanly."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route

from site_app.api.calls import CALLS
from site_app.api.confirmation import CONFIRMATION_ROUTES
from site_app.api.docs import show_docs, show_document
from site_app.api.errands import see_to
from site_app.api.errors import answer_busy, answer_http, answer_unforeseen
from site_app.api.host_calendar import keep_reading_calendar, keep_reminding
from site_app.api.limits import Limits
from site_app.api.mail_domains import MailDomains
from site_app.api.meeting_pages import MEETING_PAGE_ROUTES
from site_app.api.office import Office
from site_app.api.openapi import document
from site_app.api.readiness import ready
from site_app.api.sweeping import keep_sweeping
from site_app.api.visitor_country import CountryLookup
from site_app.api.visitors import view_page
from site_app.mailer import courier_for
from site_app.services.booking.openings import openings
from site_app.services.letters import compose
from site_app.services.tokens import Tokens, load_secret
from site_app.settings import Settings
from site_app.store import Store, StoreUnavailable, database_url, upgrade

Clock = Callable[[], datetime]


def make_api(settings: Settings) -> Starlette:
    """The API without an office: it answers once `opened` or its own lifespan has given it one."""
    routes = [Route(call.path, call.serve, methods=[call.method]) for call in CALLS]
    routes += [
        Route("/v1.0/openapi.json", show_document),
        Route("/v1.0/docs", show_docs),
        Route("/insights/view", view_page, methods=["POST"]),
        Route("/readyz", ready),
    ]

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with opened(app, settings):
            yield

    routes += [*MEETING_PAGE_ROUTES, *CONFIRMATION_ROUTES]
    handlers = {HTTPException: answer_http, StoreUnavailable: answer_busy, Exception: answer_unforeseen}
    api = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    api.state.document = document(CALLS, title=settings.brand_name, url=settings.api_address)
    return api


@asynccontextmanager
async def opened(api: Starlette, settings: Settings, clock: Clock = lambda: datetime.now(UTC)) -> AsyncIterator[Office]:
    """The API with its office open: database up to date, mails leaving, old rows going."""
    openings(settings)  # a broken rule must stop the start, not the first visitor
    url = database_url(settings.database_url, settings.var)
    await asyncio.to_thread(upgrade, url)
    store = Store(url)
    lookup = CountryLookup(settings.country_lookup_url)
    courier = courier_for(settings, store, compose, clock)
    tokens = Tokens(load_secret(settings), clock)
    office = Office(settings, store, tokens, Limits(settings), lookup, MailDomains(), clock, courier.wake)
    api.state.office = office
    errands = {
        "courier": courier.run,
        "sweep": lambda: keep_sweeping(store, settings, clock),
        "reminders": lambda: keep_reminding(store, settings, clock, courier.wake),
        "calendar": lambda: keep_reading_calendar(store, settings, clock),
    }
    work = [asyncio.create_task(see_to(name, errand)) for name, errand in errands.items()]
    try:
        yield office
    finally:
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        await lookup.close()
        await asyncio.to_thread(store.close)
