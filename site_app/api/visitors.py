"""What a visitor's browser asks on its own behalf: a token for a form, a country for the phone input; and page views."""

from contextlib import suppress
from urllib.parse import urlsplit

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from site_app.api.office import Office, office_of
from site_app.contracts.answer import FormToken
from site_app.contracts.view import View
from site_app.http.addresses import address_of, neighbourhood
from site_app.http.bodies import whole_body
from site_app.http.refusals import CallRefused
from site_app.services.page_views import Pages, known, record_view
from site_app.store import StoreUnavailable

_LARGEST_VIEW = 4096


async def form_token(office: Office, request: Request, _: None) -> FormToken:
    return FormToken(token=office.tokens.form_token())


async def visitor_country(office: Office, request: Request, _: None) -> Response:
    """Answers as such services do: 1;GB when it is known, 0 when it is not."""
    country = await office.lookup.country(address_of(request, office.settings))
    return PlainTextResponse(f"1;{country}" if country else "0", headers={"Cache-Control": "private, max-age=3600"})


async def view_page(request: Request, pages: Pages) -> Response:
    """Counts a view of one of these pages. The answer is always the same: a visitor's browser has nothing to do about it."""
    office = office_of(request)
    address = neighbourhood(address_of(request, office.settings))
    with suppress(CallRefused, ValidationError, StoreUnavailable):
        if await office.limits.wait("reads", "view", address):
            return Response(status_code=202)
        view = View.model_validate_json(await whole_body(request, _LARGEST_VIEW))
        if known(view, pages):
            own = frozenset({urlsplit(office.settings.url).hostname or "", *office.settings.hosts})
            today = office.clock().date()
            await office.store.write(lambda session: record_view(session, view, pages=pages, today=today, own_hosts=own))
    return Response(status_code=202)
