"""The plain pages of a provider that is elsewhere, passed on to the visitor."""

from collections.abc import Iterator

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from site_app import provider
from site_app.provider.door import Provider, _installed
from site_app.provider.line import Line, open_client
from site_app.settings import Settings
from site_app.web.relay import Relay

pytestmark = pytest.mark.anyio


async def _book(request: Request) -> Response:
    if request.method == "GET":
        return HTMLResponse(
            "times", headers={"Content-Security-Policy": "default-src 'none'", "Referrer-Policy": "same-origin"}
        )
    return RedirectResponse((await request.body()).decode(), 303)


@pytest.fixture
def browser() -> Iterator[httpx.AsyncClient]:
    """Speaks to the relay, whose provider answers /th/book."""
    elsewhere = httpx.ASGITransport(Starlette(routes=[Route("/th/book", _book, methods=["GET", "POST"])]))
    before = list(_installed)
    provider.install(Provider(Line(open_client("http://provider.test", elsewhere), "key")))
    yield httpx.AsyncClient(transport=httpx.ASGITransport(Relay(Settings())), base_url="http://localhost:3000")
    _installed[:] = before


async def test_a_plain_page_comes_with_its_policies(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/th/book")

    assert answer.text == "times"
    assert answer.headers["content-security-policy"] == "default-src 'none'"
    assert answer.headers["referrer-policy"] == "same-origin"


async def test_a_page_that_leads_on_is_followed_by_the_browser(browser: httpx.AsyncClient) -> None:
    answer = await browser.post("/th/book", content="/th/book/hold-1")

    assert (answer.status_code, answer.headers["location"]) == (303, "/th/book/hold-1")


@pytest.mark.parametrize("location", ["https://evil.example/", "//evil.example/"])
async def test_nobody_is_led_to_another_site(browser: httpx.AsyncClient, location: str) -> None:
    answer = await browser.post("/th/book", content=location)

    assert answer.status_code == 503
    assert "location" not in answer.headers
