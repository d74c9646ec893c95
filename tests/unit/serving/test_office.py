"""Where the office answers, and that nobody can tell where it does not."""

from collections.abc import Callable
from dataclasses import replace

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from site_app.serving.site import Site
from site_app.settings import Settings

pytestmark = pytest.mark.anyio
OPEN = Settings(office=("ada@example.com:owner",))
APART = replace(OPEN, office_host="office.localhost")


async def api(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("the office")(scope, receive, send)


@pytest.fixture
def ask(tmp_path) -> Callable:
    async def ask(settings: Settings, path: str, host: str = "localhost:3000") -> httpx.Response:
        site = Site(backend=api, api=api, static=tmp_path, settings=settings)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url=f"http://{host}") as client:
            return await client.get(path)

    return ask


@pytest.mark.parametrize("path", ["/office", "/office/", "/office/sign-in", "/office/leads.csv", "/office/0123456789ab.css"])
async def test_the_office_answers_where_people_are_named(ask: Callable, path: str) -> None:
    assert (await ask(OPEN, path)).text == "the office"
    assert (await ask(APART, path, "office.localhost:3000")).text == "the office"


@pytest.mark.parametrize("settings", [Settings(), APART, Settings(provider_url="https://provider.example.com")])
async def test_elsewhere_it_is_a_page_that_was_never_there(ask: Callable, settings: Settings) -> None:
    for path in ("/office", "/office/sign-in", "/office/leads.csv"):
        answer, never = await ask(settings, path), await ask(settings, path.replace("office", "nonesuch"))
        assert (answer.status_code, answer.text, answer.headers) == (never.status_code, never.text, never.headers)


async def test_on_its_own_host_there_is_nothing_else(ask: Callable) -> None:
    assert (await ask(APART, "/", "office.localhost")).headers["Location"] == "/office"
    for path in ("/faq", "/th", "/v1.0/countries", "/book", "/officer"):
        assert (await ask(APART, path, "office.localhost")).status_code == 404
    assert (await ask(Settings(), "/", "office.localhost")).status_code == 421


@pytest.mark.parametrize("path", ["/officer", "/th/office", "/cn/office/sign-in"])
async def test_only_its_own_addresses_are_the_offices(ask: Callable, path: str) -> None:
    assert (await ask(OPEN, path)).status_code in (302, 404)
