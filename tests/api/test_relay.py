"""With a provider elsewhere: what a browser asks our own origin reaches it, and comes back as it is."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import httpx
import pytest
from starlette.applications import Starlette

from site_app import provider
from site_app.api import readiness
from site_app.api.office import Office
from site_app.provider import Provider, remote
from site_app.provider.line import Line, open_client
from site_app.settings import Settings
from site_app.web.plain_forms import plain_forms
from site_app.web.relay import Relay
from tests.api.conftest import Clock
from tests.builders import message

pytestmark = pytest.mark.anyio


@pytest.fixture
def clock() -> Clock:
    """The time of the disk: what is older there is swept away as left by a crash."""
    return Clock(datetime.now(UTC))


@pytest.fixture
def far_away(api: Starlette, office: Office, settings: Settings) -> Settings:
    """The settings of a site whose provider is another process; the line to it is cut short."""
    transport = httpx.ASGITransport(api, raise_app_exceptions=False, client=("198.51.100.1", 443))
    provider.install(Provider(Line(open_client("http://provider.test", transport), settings.api_key)))
    return replace(settings, provider_url="http://provider.test")


@pytest.fixture
async def browser(far_away: Settings) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(Relay(far_away), client=("203.0.113.7", 50000))
    async with httpx.AsyncClient(transport=transport, base_url="http://site.test", headers={"X-API-Key": "website"}) as client:
        yield client


async def test_a_submission_is_passed_on_with_its_answer(browser: httpx.AsyncClient) -> None:
    said = message()

    first = await browser.post("/v1.0/sendMessage", json=said)
    again = await browser.post("/v1.0/sendMessage", json=said)

    assert first.status_code == 200
    assert first.json()["reference"].startswith("M-")
    assert again.json() == first.json()


async def test_a_refusal_keeps_its_status_and_its_language(browser: httpx.AsyncClient) -> None:
    answer = await browser.post("/v1.0/sendMessage", json=message(email="ada"), headers={"Accept-Language": "en"})

    assert answer.status_code == 422
    assert answer.json()["error"]["fields"] == {"email": "Please enter a valid email address"}


async def test_a_file_is_streamed_through(browser: httpx.AsyncClient) -> None:
    answer = await browser.post("/v1.0/attachments", files={"file": ("plan.txt", b"A plan.")})

    assert answer.status_code == 201
    assert answer.json()["name"] == "plan.txt"


async def test_lists_and_tokens_are_passed_on(browser: httpx.AsyncClient) -> None:
    countries = await browser.get("/v1.0/countries", params={"language": "en"})
    token = await browser.get("/v1.0/formToken")

    assert {"code": "TH", "name": "Thailand", "dial_code": "+66", "flag": "/flags/TH.svg"} in countries.json()["countries"]
    assert token.json()["token"]


@pytest.mark.parametrize("path", ["/v1.0", "/admin", "/book/a/b"])
async def test_what_is_neither_a_call_nor_a_page_of_the_provider_is_not_passed_on(
    browser: httpx.AsyncClient, path: str
) -> None:
    assert (await browser.get(path)).status_code == 404


async def test_the_site_is_ready_when_its_provider_is(
    browser: httpx.AsyncClient, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    well = await browser.get("/readyz")
    monkeypatch.setattr(readiness.shutil, "disk_usage", lambda _: SimpleNamespace(free=1))
    unwell = await browser.get("/readyz")

    assert (well.status_code, well.json()) == (200, {"provider": True})
    assert (unwell.status_code, unwell.json()) == (503, {"provider": False})


async def test_the_pages_on_which_a_call_is_booked_are_passed_on(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/book")

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")


async def test_a_provider_that_is_away_is_a_503_in_the_usual_shape(settings: Settings) -> None:
    provider.install(remote(replace(settings, provider_url="http://127.0.0.1:9")))
    transport = httpx.ASGITransport(Relay(settings), client=("203.0.113.7", 50000))

    async with httpx.AsyncClient(transport=transport, base_url="http://site.test") as client:
        answer = await client.post("/v1.0/sendMessage", json=message())

        ready = await client.get("/readyz")

    assert (answer.status_code, ready.status_code) == (503, 503)
    assert answer.json()["error"]["message"] == "Network Error"


@pytest.fixture
async def visitor(far_away: Settings) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(plain_forms(far_away), client=("203.0.113.7", 50000))
    async with httpx.AsyncClient(transport=transport, base_url="http://site.test") as client:
        yield client


WORDS = {"full_name": "Ada", "email": "ada@example.org", "subject": "A question", "message": "Do you write programs?"}


async def test_a_plain_form_reaches_it_too(visitor: httpx.AsyncClient) -> None:
    answer = await visitor.post("/contact-us", data=WORDS)

    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/contact-us/sent?reference=M-")


async def test_a_plain_form_in_another_language_stays_in_it(visitor: httpx.AsyncClient) -> None:
    sent = await visitor.post("/th/contact-us", data=WORDS)
    wrong = await visitor.post("/th/contact-us", data=WORDS | {"email": "ada"})

    assert sent.headers["location"].startswith("/th/contact-us/sent")
    assert wrong.status_code == 422
    assert '<html lang="th">' in wrong.text


async def test_a_plain_form_is_escaped_and_kept(visitor: httpx.AsyncClient) -> None:
    answer = await visitor.post("/contact-us", data=WORDS | {"full_name": '"><script>', "email": ""})

    assert answer.status_code == 422
    assert "<script>" not in answer.text
    assert "&#34;&gt;&lt;script&gt;" in answer.text
    assert "Email address is required" in answer.text


async def test_a_plain_form_names_its_faults_in_the_order_of_its_fields(visitor: httpx.AsyncClient) -> None:
    answer = await visitor.post("/contact-us", data={"email": "ada"})

    assert re.findall('<a href="#([a-z_]+)">', answer.text) == ["full_name", "email", "subject", "message"]


async def test_a_plain_form_that_cannot_be_passed_on_says_so_and_keeps_what_was_typed(settings: Settings) -> None:
    provider.install(remote(replace(settings, provider_url="http://127.0.0.1:9")))
    transport = httpx.ASGITransport(plain_forms(settings), client=("203.0.113.7", 50000))

    async with httpx.AsyncClient(transport=transport, base_url="http://site.test") as client:
        answer = await client.post("/contact-us", data=WORDS)

    assert answer.status_code == 503
    assert "Network Error" in answer.text
    assert "Do you write programs?" in answer.text


async def test_a_plain_form_that_is_no_form_is_refused(visitor: httpx.AsyncClient) -> None:
    answer = await visitor.post(
        "/contact-us", content=b"\xff\xfe=1", headers={"Content-Type": "application/x-www-form-urlencoded"}
    )

    assert answer.status_code in (400, 422)
