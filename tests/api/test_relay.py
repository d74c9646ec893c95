"""With a remote provider, a browser's requests to the site reach it, and its replies come back unchanged."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from site_app.client import ProviderClient, install, provider, remote
from site_app.content import form_words
from site_app.core.http.bodies import Bodies
from site_app.core.http.pages import STYLESHEET, THEME
from site_app.core.i18n import use
from site_app.core.locales import BY_ID
from site_app.core.settings import Settings
from site_app.provider.api import readiness
from site_app.provider.http.call import ApiContext
from site_app.provider.store.tables import BookingCell, PageView
from site_app.serving.plain_pages import plain_pages
from site_app.serving.relay import Relay
from tests.support.builders import meeting, message
from tests.support.clients import client_of, plain_site
from tests.support.clock import Clock
from tests.support.stored_rows import rows_in
from tests.support.stub_provider import Fault, StubProvider, stub_provider

pytestmark = pytest.mark.anyio


@pytest.fixture
def clock() -> Clock:
    """The disk's time: older files are swept away as leftovers of a crash."""
    return Clock(datetime.now(UTC))


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """The provider trusts the visitor's address that the site sends."""
    return replace(settings, trusted_proxies=("198.51.100.1",))


@pytest.fixture
def far_away(api: Starlette, context: ApiContext, settings: Settings) -> Settings:
    """The settings of a site whose provider is another process; its timeouts are short."""
    transport = httpx.ASGITransport(api, raise_app_exceptions=False, client=("198.51.100.1", 443))
    install(ProviderClient("http://provider.test", settings.api_key, transport))
    return replace(settings, provider_url="http://provider.test")


@pytest.fixture
async def browser(far_away: Settings, api: Starlette) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(Relay(far_away, api=api), X_API_Key="website") as client:
        yield client


async def test_a_submission_is_relayed_with_its_reply(browser: httpx.AsyncClient) -> None:
    submission = message()

    first = await browser.post("/v1.0/sendMessage", json=submission)
    second = await browser.post("/v1.0/sendMessage", json=submission)

    assert first.status_code == 200
    assert first.json()["reference"].startswith("M-")
    assert second.json() == first.json()


async def test_the_visitors_address_goes_along(browser: httpx.AsyncClient, api: Starlette, context: ApiContext) -> None:
    slots = (await browser.post("/v1.0/meetingSlots", json={})).json()["results"]

    async with client_of(api, X_API_Key="website") as same:
        for visitor, slot in ((browser, slots[0]), (same, slots[-1])):
            await visitor.post("/v1.0/holdSlot", json={"slot": slot["id"]})

    assert len({cell.network for cell in await rows_in(context.store, BookingCell)}) == 1


async def test_a_file_is_streamed_through(browser: httpx.AsyncClient) -> None:
    response = await browser.post("/v1.0/attachments", files={"file": ("plan.txt", b"A plan.")})

    assert response.status_code == 201
    assert response.json()["name"] == "plan.txt"


@pytest.mark.parametrize("path", ["/v1.0", "/admin", "/book/a", "/v1.0/%2e%2e/%2e%2e/readyz", "/v1.0/%2e/countries"])
async def test_only_calls_and_pages_of_the_provider_are_relayed(browser: httpx.AsyncClient, path: str) -> None:
    assert (await browser.get(path)).status_code == 404


@pytest.mark.parametrize("path", [STYLESHEET, THEME])
async def test_plain_pages_look_alike_wherever_the_provider_is(settings: Settings, api: Starlette, path: str) -> None:
    install(remote(replace(settings, provider_url="http://127.0.0.1:9")))

    async with client_of(Relay(settings, api=api)) as client:
        assert (await client.get(path)).status_code == 200


async def test_the_site_is_ready_when_its_provider_is(
    browser: httpx.AsyncClient, context: ApiContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "KEEP_SECONDS", 0.0)  # a second request gets its own reply
    well = await browser.get("/readyz")
    monkeypatch.setattr(readiness.shutil, "disk_usage", lambda _: SimpleNamespace(free=1))
    unwell = await browser.get("/readyz")

    assert (well.status_code, well.json()) == (200, {"provider": True})
    assert (unwell.status_code, unwell.json()) == (503, {"provider": False})


async def test_an_aborted_body_is_refused_without_a_server_error(settings: Settings) -> None:
    async def read(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=await request.aread())

    install(ProviderClient("http://provider.test", settings.api_key, httpx.MockTransport(read)))
    sent: list[Any] = []
    coming = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])
    headers = [(b"content-type", b"application/json"), (b"content-length", b"1000"), (b"x-api-key", b"website")]
    scope = {
        "type": "http", "method": "POST", "path": "/v1.0/sendMessage", "query_string": b"", "headers": headers, "client": ("203.0.113.7", 1)
    }  # fmt: skip

    async def receive() -> Any:
        return next(coming)

    async def send(message: Any) -> None:
        sent.append(message)

    await Bodies(settings).wrap(Relay(settings, api=Starlette()))(scope, receive, send)

    assert sent[0]["status"] == 400


async def test_an_unreachable_provider_is_a_503_in_the_usual_shape(settings: Settings) -> None:
    install(remote(replace(settings, provider_url="http://127.0.0.1:9")))

    async with client_of(Relay(settings, api=Starlette())) as client:
        response = await client.post("/v1.0/sendMessage", json=message())

        ready = await client.get("/readyz")

    assert (response.status_code, ready.status_code) == (503, 503)
    assert response.json()["error"]["message"] == "Network Error"


@pytest.fixture
async def visitor(far_away: Settings) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(plain_site(far_away)) as client:
        yield client


WORDS = {"full_name": "Ada", "email": "ada@example.org", "subject": "A question", "message": "Do you write programs?"}


async def test_a_refused_plain_form_shows_its_input_escaped(visitor: httpx.AsyncClient) -> None:
    response = await visitor.post("/contact-us", data=WORDS | {"full_name": '"><script>', "email": ""})

    assert response.status_code == 422
    assert "<script>" not in response.text
    assert "&#34;&gt;&lt;script&gt;" in response.text
    assert '<a href="#email">' in response.text


async def test_a_plain_form_names_its_faults_in_the_order_of_its_fields(visitor: httpx.AsyncClient) -> None:
    response = await visitor.post("/contact-us", data={"email": "ada"})

    assert re.findall('<a href="#([a-z_]+)">', response.text) == ["full_name", "email", "subject", "message"]


async def test_an_answer_that_names_no_reference_leads_back_to_the_form(visitor: httpx.AsyncClient) -> None:
    response = await visitor.get("/contact-us/sent?reference=%3Cscript%3E")

    assert (response.status_code, response.headers["location"]) == (303, "/contact-us")


async def test_a_plain_form_that_cannot_be_sent_reports_it_and_keeps_the_input(settings: Settings) -> None:
    install(remote(replace(settings, provider_url="http://127.0.0.1:9")))

    async with client_of(plain_site(settings)) as client:
        response = await client.post("/contact-us", data=WORDS)

    assert response.status_code == 503
    assert "Network Error" in response.text
    assert "Do you write programs?" in response.text


@pytest.fixture
async def against_the_stub(
    api: Starlette, context: ApiContext, settings: Settings
) -> AsyncIterator[tuple[StubProvider, httpx.AsyncClient]]:
    """A browser at a site whose provider has only the seven calls."""
    with stub_provider() as stub:
        remote_settings = replace(settings, provider_url=stub.url)
        install(remote(remote_settings))
        async with client_of(Relay(remote_settings, api=api)) as client:
            yield stub, client
        await provider().close()


@pytest.fixture
async def pages(
    against_the_stub: tuple[StubProvider, httpx.AsyncClient], api: Starlette, settings: Settings
) -> AsyncIterator[httpx.AsyncClient]:
    """A visitor without scripts, to whom the site itself answers."""
    async with client_of(plain_pages(api.state)) as client:
        yield client


_OPTIONAL = [
    ("GET", "formToken"),
    ("GET", "attachments"),
    ("POST", "holdSlot"),
    ("POST", "releaseHold"),
]


@pytest.mark.parametrize("fault", [404, 429, 500, "silent"])
async def test_a_missing_optional_call_is_no_error_in_a_browser(
    against_the_stub: tuple[StubProvider, httpx.AsyncClient], fault: Fault
) -> None:
    stub, browser = against_the_stub
    for name in ("token", "attachments", "hold"):
        stub.misbehaves(name, fault)

    responses = [browser.request(method, f"/v1.0/{call}", json={} if method == "POST" else None) for method, call in _OPTIONAL]

    assert [response.status_code for response in await asyncio.gather(*responses)] == [204] * len(_OPTIONAL)


@pytest.mark.parametrize(("status", "is_shown"), [(400, True), (422, True), (404, False), (405, False), (500, False)])
async def test_the_attachments_call_tells_if_the_provider_accepts_files(
    settings: Settings, status: int, is_shown: bool
) -> None:
    def respond(request: httpx.Request) -> httpx.Response:
        return httpx.Response(status if request.method == "POST" else 405)

    install(ProviderClient("http://provider.test", "website", httpx.MockTransport(respond)))

    async with client_of(Relay(settings, api=Starlette())) as client:
        rules_answer = await client.get("/v1.0/attachments")

    assert rules_answer.status_code == (200 if is_shown else 204)


async def test_page_views_and_the_country_are_handled_by_the_site(
    against_the_stub: tuple[StubProvider, httpx.AsyncClient], context: ApiContext
) -> None:
    stub, browser = against_the_stub

    counted = await browser.post("/v1.0/pageView", content='{"path": "/faq"}')
    country = await browser.get("/v1.0/visitorCountry")

    assert (counted.status_code, country.status_code, country.text) == (202, 200, "0")
    await context.views.write(context.store)
    assert len(await rows_in(context.store, PageView)) == 1
    assert stub.optional_calls == []


async def test_a_time_lost_at_the_stub_is_reported_as_lost(
    against_the_stub: tuple[StubProvider, httpx.AsyncClient],
) -> None:
    stub, browser = against_the_stub
    stub.lost_slots.add("20300102T0930Z")

    response = await browser.post("/v1.0/bookMeeting", json=meeting())

    assert (response.status_code, set(response.json()["error"]["fields"])) == (409, {"slot"})


async def test_a_meeting_is_booked_on_plain_pages_where_the_provider_has_none(
    against_the_stub: tuple[StubProvider, httpx.AsyncClient], pages: httpx.AsyncClient
) -> None:
    stub, _ = against_the_stub
    slot = stub.slots()[1]["id"]

    times = await pages.get("/th/book")
    assert f'value="{slot}"' in times.text
    redirect = await pages.post("/th/book", data={"slot": slot, "zone": "Asia/Bangkok"})
    form = await pages.get(redirect.headers["location"])
    key, token = (re.search(rf'name="{name}" value="([^"]*)"', form.text)[1] for name in ("key", "token"))  # type: ignore[index]
    words = {"full_name": "Ada Lovelace", "email": "", "key": key, "token": token, "slot": slot, "do": "book"}
    refused = await pages.post(redirect.headers["location"], data=words)
    accepted = await pages.post(redirect.headers["location"], data=words | {"email": "ada@example.org"})
    result_page = await pages.get(accepted.headers["location"])

    assert (refused.status_code, accepted.status_code, result_page.status_code) == (422, 303, 200)
    assert "Ada Lovelace" in refused.text
    [(call, payload)] = stub.submissions
    assert (call, payload["slot"], payload["time_zone"], payload["language"]) == ("bookMeeting", slot, "Asia/Bangkok", "th")


async def test_a_time_lost_meanwhile_leads_back_to_the_choice(
    against_the_stub: tuple[StubProvider, httpx.AsyncClient], pages: httpx.AsyncClient
) -> None:
    stub, _ = against_the_stub
    slot, other_slot = (row["id"] for row in stub.slots()[:2])
    redirect = await pages.post("/book", data={"slot": slot, "zone": "UTC"})
    words = {"full_name": "Ada Lovelace", "email": "ada@example.org", "slot": slot, "do": "book"}
    stub.lost_slots.add(slot)

    lost = await pages.post(redirect.headers["location"], data=words)
    booked = await pages.post(redirect.headers["location"], data=words | {"slot": other_slot})

    assert (lost.status_code, booked.status_code) == (409, 303)
    assert f'value="{other_slot}"' in lost.text
    assert f'value="{slot}"' not in lost.text
    assert "Ada Lovelace" in lost.text
    assert [payload["slot"] for _, payload in stub.submissions] == [other_slot]


async def test_missing_times_are_reported(
    against_the_stub: tuple[StubProvider, httpx.AsyncClient], pages: httpx.AsyncClient
) -> None:
    stub, _ = against_the_stub
    stub.close()

    assert (await pages.get("/book")).status_code == 503


@pytest.mark.parametrize("reply", [(200, b"{}"), (204, b""), (200, b"thanks"), (201, b'{"reference": "A/17"}')])
async def test_a_plain_form_is_done_after_any_success_of_the_provider(
    against_the_stub: tuple[StubProvider, httpx.AsyncClient], far_away: Settings, reply: tuple[int, bytes]
) -> None:
    stub, _ = against_the_stub
    stub.reply = reply
    install(remote(replace(far_away, provider_url=stub.url)))

    async with client_of(plain_site(far_away)) as visitor:
        sent = await visitor.post("/contact-us", data=WORDS | {"key": "malformed"})
        result_page = await visitor.get(sent.headers["location"])

    assert (sent.status_code, result_page.status_code) == (303, 200)
    assert form_words.sent_message() in result_page.text
    assert len(stub.submissions) == 1


@pytest.mark.parametrize(
    ("reply", "is_mailed"),
    [
        (b'{"reference": "M-2345-67"}', True),
        (b'{"reference": "M-2345-67", "mailed": false}', False),
        (b'{"reference": "M-2345-67", "quarantined": true}', True),
        (b'{"reference": "M-2345-67", "quarantined": true, "mailed": false}', False),
    ],
)
@pytest.mark.parametrize("language", ["", "/th"])
async def test_a_plain_form_reports_that_no_mail_is_sent(
    against_the_stub: tuple[StubProvider, httpx.AsyncClient],
    far_away: Settings,
    reply: bytes,
    is_mailed: bool,
    language: str,
) -> None:
    stub, _ = against_the_stub
    stub.reply = (200, reply)
    install(remote(replace(far_away, provider_url=stub.url)))

    async with client_of(plain_site(far_away)) as visitor:
        sent = await visitor.post(f"{language}/contact-us", data=WORDS)
        result_page = await visitor.get(sent.headers["location"])

    with use(BY_ID["th" if language else "en"]):
        unmailed = form_words.unmailed_message()
    assert (unmailed in result_page.text) is not is_mailed


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/contact-us", "Your message has been sent successfully"),
        ("/company/affiliate-program", "We’ve received your application"),
    ],
)
async def test_a_plain_form_calls_what_was_sent_by_its_name(pages: httpx.AsyncClient, path: str, title: str) -> None:
    result_page = await pages.get(f"{path}/sent?reference=A-2345-67")

    assert f">{title}</h1>" in result_page.text
