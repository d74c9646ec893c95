"""The addresses at which the office answers; everywhere else it is indistinguishable from a missing page."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from site_app.core.settings import Settings
from site_app.provider.api.app import make_api, open_provider
from site_app.provider.office.pages import office_routes
from site_app.serving.office_cors import OfficeWithoutCors
from site_app.serving.pages import ServedPages
from site_app.serving.site import Site
from tests.support.databases import migrated_database

pytestmark = pytest.mark.anyio
OPEN = Settings(office=("ada@example.com:owner",))
APART = replace(OPEN, office_host="office.localhost")


async def api(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("the office")(scope, receive, send)


async def api_page(_request: Request) -> Response:
    return PlainTextResponse("the office")


@pytest.fixture
def ask(tmp_path) -> Callable:
    async def ask(settings: Settings, path: str, host: str = "localhost:3000") -> httpx.Response:
        site = Site(backend=api, api=api, pages=ServedPages.of(tmp_path, settings), settings=settings)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url=f"http://{host}") as client:
            return await client.get(path)

    return ask


@pytest.mark.parametrize("path", ["/office", "/office/", "/office/sign-in", "/office/leads.csv", "/office/0123456789ab.css"])
async def test_the_office_answers_where_people_are_named(ask: Callable, path: str) -> None:
    assert (await ask(OPEN, path)).text == "the office"
    assert (await ask(APART, path, "office.localhost:3000")).text == "the office"


@pytest.mark.parametrize("settings", [Settings(), APART, Settings(provider_url="https://provider.example.com")])
async def test_without_people_the_office_looks_like_a_missing_page(ask: Callable, settings: Settings) -> None:
    for path in ("/office", "/office/sign-in", "/office/leads.csv"):
        response, unknown_page = await ask(settings, path), await ask(settings, path.replace("office", "nonesuch"))
        assert (response.status_code, response.text, response.headers) == (
            unknown_page.status_code,
            unknown_page.text,
            unknown_page.headers,
        )


async def test_the_offices_own_host_serves_nothing_else(ask: Callable) -> None:
    assert (await ask(APART, "/", "office.localhost")).headers["Location"] == "/office"
    for path in ("/faq", "/th", "/v1.0/countries", "/book", "/officer"):
        assert (await ask(APART, path, "office.localhost")).status_code == 404
    assert (await ask(Settings(), "/", "office.localhost")).status_code == 421


async def test_a_page_on_its_own_host_gets_all_that_it_loads(tmp_path: Path) -> None:
    with migrated_database(tmp_path) as database:
        settings = replace(APART, var=tmp_path, database_url=database)
        app = make_api(settings, extra_routes=office_routes(settings))
        async with open_provider(app, settings):
            site = Site(backend=api, api=app, pages=ServedPages.of(tmp_path, settings), settings=settings)
            async with httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://office.localhost") as client:
                page = (await client.get("/office/sign-in")).text
                loaded = re.findall(r'<(?:link|script)\b[^>]*\b(?:href|src)="([^"]+)"', page)
                statuses = {path: (await client.get(path)).status_code for path in loaded}

    assert len(statuses) > 1
    assert set(statuses.values()) == {200}, statuses


@pytest.mark.parametrize("path", ["/officer", "/th/office", "/cn/office/sign-in"])
async def test_addresses_similar_to_the_offices_do_not_belong_to_it(ask: Callable, path: str) -> None:
    assert (await ask(OPEN, path)).status_code in (302, 404)


@pytest.mark.parametrize("settings", [APART, replace(OPEN, backend_url="http://office.localhost:3000")])
async def test_no_page_of_another_origin_can_read_the_office(tmp_path, settings: Settings) -> None:
    """Reflex wraps the whole site in its CORS, with credentials, for every origin of the site."""
    site = Site(
        backend=api, api=Router([Route("/office", api_page)]), pages=ServedPages.of(tmp_path, settings), settings=settings
    )
    reflex = CORSMiddleware(site, settings.origins, allow_methods=["*"], allow_headers=["*"], allow_credentials=True)
    preflight = {"Origin": settings.url, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-a"}

    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(OfficeWithoutCors(reflex, settings)), base_url="http://office.localhost:3000"
    ) as client:
        responses = [
            await client.get("/office", headers={"Origin": settings.url}),
            await client.post("/office", headers={"Origin": settings.url}),
            await client.options("/office", headers=preflight),
        ]
        elsewhere = await client.get("/v1.0/countries", headers={"Origin": settings.url})

    assert [response.status_code for response in responses] == [200, 405, 405]
    assert not [name for response in responses for name in response.headers if name.startswith("access-control-")]
    assert elsewhere.headers["access-control-allow-origin"] == settings.url
