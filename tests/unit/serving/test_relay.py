"""Plain pages of a remote provider, relayed to the visitor."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from site_app.client import ProviderClient, install, provider
from site_app.client.calls import _installed
from site_app.core.settings import Settings
from site_app.serving.relay import Relay

pytestmark = pytest.mark.anyio


async def _book(request: Request) -> Response:
    if request.method == "GET":
        return HTMLResponse(
            "times", headers={"Content-Security-Policy": "default-src 'none'", "Referrer-Policy": "same-origin"}
        )
    return RedirectResponse((await request.body()).decode(), 303)


async def _echo_target(request: Request) -> Response:
    return Response(request.scope["raw_path"] + b"?" + request.scope["query_string"])


async def _endless(_request: Request) -> Response:
    async def body() -> AsyncIterator[bytes]:
        while True:
            yield b"x"
            await asyncio.sleep(0.01)

    return StreamingResponse(body())


async def _gzip_bomb(_request: Request) -> Response:
    return Response(gzip.compress(b"0" * 1000), headers={"Content-Encoding": "gzip"})


@pytest.fixture
def browser() -> Iterator[httpx.AsyncClient]:
    """A client of the relay, whose provider answers /th/meetings/x/move."""
    routes = [
        Route("/th/meetings/x/move", _book, methods=["GET", "POST"]),
        Route("/v1.0/drips", _endless, methods=["POST"]),
        Route("/v1.0/folded", _gzip_bomb),
        Route("/v1.0/{path:path}", _echo_target),
    ]
    provider_host = httpx.ASGITransport(Starlette(routes=routes))
    installed_before = list(_installed)
    install(ProviderClient("http://provider.test", "key", provider_host))
    yield httpx.AsyncClient(transport=httpx.ASGITransport(Relay(Settings(), api=Starlette())), base_url="http://localhost:3000")
    _installed[:] = installed_before


async def test_a_plain_page_comes_with_its_policies(browser: httpx.AsyncClient) -> None:
    response = await browser.get("/th/meetings/x/move")

    assert response.text == "times"
    assert response.headers["content-security-policy"] == "default-src 'none'"
    assert response.headers["referrer-policy"] == "same-origin"


async def test_a_redirect_of_a_page_is_left_to_the_browser(browser: httpx.AsyncClient) -> None:
    response = await browser.post("/th/meetings/x/move", content="/th/meetings/x")

    assert (response.status_code, response.headers["location"]) == (303, "/th/meetings/x")


@pytest.mark.parametrize("location", ["https://evil.example/", "//evil.example/"])
async def test_redirects_to_other_sites_are_refused(browser: httpx.AsyncClient, location: str) -> None:
    response = await browser.post("/th/meetings/x/move", content=location)

    assert response.status_code == 503
    assert "location" not in response.headers


@pytest.mark.parametrize("path", ["a%3Fb=c", "%0A", "%00", "a%20b", "~a-b._c", "%E5%AD%97"])
async def test_the_provider_gets_the_browsers_path_and_query(browser: httpx.AsyncClient, path: str) -> None:
    response = await browser.get(f"/v1.0/{path}?d=%26")

    assert (response.status_code, response.text) == (200, f"/v1.0/{path}?d=%26")


async def test_headers_in_any_alphabet_are_handled(browser: httpx.AsyncClient) -> None:
    response = await browser.get("/th/meetings/x/move", headers={b"Accept-Language": "th,字".encode()})

    assert response.status_code == 200


async def test_a_provider_that_answers_endlessly_times_out(browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site_app.client.transport.TOTAL_SECONDS", 0.2)

    response = await browser.post("/v1.0/drips", json={})

    assert (response.status_code, response.headers["retry-after"]) == (503, "2")


async def test_a_compressed_reply_is_not_decompressed(browser: httpx.AsyncClient) -> None:
    assert (await browser.get("/v1.0/folded")).status_code == 503


async def test_a_provider_without_readiness_is_ready_if_it_replies(browser: httpx.AsyncClient) -> None:
    assert (await browser.get("/readyz")).status_code == 200


async def test_a_provider_that_does_not_report_its_readiness_is_not_ready(
    browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("site_app.serving.relay._READY_SECONDS", 0.05)
    monkeypatch.setattr(provider(), "relay", silent)

    assert (await browser.get("/readyz")).status_code == 503
