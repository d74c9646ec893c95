"""A small built site with an API and a backend that only say their names."""

import gzip
import re
from pathlib import Path

import brotli
import httpx
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from site_app.core.settings import Settings
from site_app.provider.api.app import make_api
from site_app.serving.pages import ServedPages
from site_app.serving.site import Site

PAGE = "<html><head><script>t()</script><style>a{}</style></head><body>{words}</body></html>"
PAGES = ("/", "/faq", "/th", "/th/faq", "/services/it-services-and-branding/web-development")


async def answer_as_api(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("api", headers={"x-frame-options": "theirs"})(scope, receive, send)


async def answer_as_backend(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("backend")(scope, receive, send)


def write_page(file: Path, text: str) -> None:
    file.write_text(text)
    file.with_name(file.name + ".br").write_bytes(brotli.compress(text.encode()))
    file.with_name(file.name + ".gz").write_bytes(gzip.compress(text.encode()))


def client_of(static: Path, settings: Settings, api: ASGIApp = answer_as_api, base_url: str = "") -> httpx.AsyncClient:
    site = Site(backend=answer_as_backend, api=api, pages=ServedPages.of(static, settings), settings=settings)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=site), base_url=base_url or settings.url)


def api_addresses() -> list[str]:
    """Returns one address for each route of the API."""
    return [re.sub("{[^}]*}", "x", route.path) for route in make_api(Settings()).routes if isinstance(route, Route)]
