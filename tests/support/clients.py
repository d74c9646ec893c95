"""HTTP clients that call an application in this process, and the applications with plain pages."""

from datetime import UTC, datetime

import httpx
from starlette.applications import Starlette
from starlette.datastructures import State
from starlette.types import ASGIApp, Receive, Scope, Send

from site_app.client import embedded, install
from site_app.core.http.context import AppContext
from site_app.core.http.limits import Limits
from site_app.core.settings import Settings
from site_app.serving.plain_pages import is_plain_site_page, plain_pages


def client_of(app: ASGIApp, address: str = "203.0.113.7", *, at: str = "http://site.test", **headers: str) -> httpx.AsyncClient:
    """Returns a client that calls the application from this address."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(address, 50000))
    all_headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.AsyncClient(transport=transport, base_url=at, headers=all_headers)


def plain_site(settings: Settings) -> Starlette:
    """Returns the site's plain pages in a process without an API."""
    return plain_pages(State({"context": AppContext(settings, Limits(settings), lambda: datetime.now(UTC))}))


def with_plain_pages(api: Starlette, settings: Settings) -> ASGIApp:
    """Returns the API behind the site's plain pages, whose provider it is."""
    install(embedded(api, settings))
    pages = plain_pages(api.state)

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        is_page = scope["type"] == "http" and is_plain_site_page(scope["path"], scope["method"])
        await (pages if is_page else api)(scope, receive, send)

    return serve
