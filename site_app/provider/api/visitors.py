"""What a browser asks by itself: a token for a form, a country for the phone input, lists to choose from; and the page views that it reports."""

import asyncio
from contextlib import suppress
from urllib.parse import urlsplit

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from site_app.contracts.answer import FormToken
from site_app.contracts.lists import Countries, Currencies, ListRequest
from site_app.contracts.page_view import PageViewed
from site_app.core.http.addresses import address_of
from site_app.core.http.bodies import whole_body
from site_app.core.http.limits import Admission
from site_app.core.http.refusals import CallRefused
from site_app.provider.api import lists
from site_app.provider.endpoints.context import ApiContext, api_context_of
from site_app.provider.endpoints.page_views import Pages, ViewCounts, known
from site_app.provider.store import Store, StoreUnavailable

_LARGEST_VIEW = 4096
_WRITE_EVERY_SECONDS = 5.0


async def form_token(context: ApiContext, request: Request, _: None) -> FormToken:
    return FormToken(token=context.tokens.form_token())


async def visitor_country(context: ApiContext, request: Request, _: None) -> Response:
    """Answers as such services do: 1;GB when it is known, 0 when it is not."""
    country = await context.lookup.country(address_of(request, context.settings))
    return PlainTextResponse(f"1;{country}" if country else "0", headers={"Cache-Control": "private, max-age=3600"})


async def countries(context: ApiContext, request: Request, wanted: ListRequest) -> Countries:
    return lists.countries(wanted.language)


async def currencies(context: ApiContext, request: Request, wanted: ListRequest) -> Currencies:
    return lists.currencies(wanted.language)


async def view_page(request: Request, pages: Pages) -> Response:
    """Counts a view of one of these pages. The answer is always the same: a visitor's browser has nothing to do about it."""
    context = api_context_of(request)
    with suppress(CallRefused, ValidationError):
        await Admission(context.limits, context.settings, request).network("reads", "view")
        view = PageViewed.model_validate_json(await whole_body(request, _LARGEST_VIEW))
        if known(view, pages):
            own = frozenset({urlsplit(context.settings.url).hostname or "", *context.settings.hosts})
            context.views.add(view, pages=pages, today=context.clock().date(), own_hosts=own)
    return Response(status_code=202)


async def keep_writing_views(views: ViewCounts, store: Store) -> None:
    """Write the counted views every few seconds, and a last time at the end."""
    try:
        while True:
            await asyncio.sleep(_WRITE_EVERY_SECONDS)
            with suppress(StoreUnavailable):
                await views.write(store)
    finally:
        await views.write(store)
