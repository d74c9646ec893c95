"""The provider's replies are the same in this process and behind a socket."""

import asyncio
import gzip
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from granian.constants import Interfaces
from granian.server.embed import Server
from starlette.applications import Starlette

from site_app.client import ProviderClient, ProviderError, embedded, remote
from site_app.contracts.lists import CountryRows, CurrencyRows, ListRow
from site_app.contracts.meeting import Held, HoldRequest, ReleaseRequest, SlotRefused, Slots
from site_app.contracts.reply import Accepted, Refused
from site_app.core.http.limits import Limits
from site_app.core.i18n import use
from site_app.core.locales import BY_ID
from site_app.core.settings import Settings
from site_app.provider.api.app import make_api
from site_app.provider.http.call import ApiContext
from tests.support.builders import SUBMISSIONS, affiliate, meeting, message, quote
from tests.support.clock import Clock
from tests.support.logs import collected_log, lines

pytestmark = pytest.mark.anyio


@pytest.fixture
def clock() -> Clock:
    """A clock that starts now, as the dates of files on the disk do."""
    return Clock(datetime.now(UTC))


async def wait_until_listening(port: int) -> None:
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            await asyncio.sleep(0.01)
        else:
            writer.close()
            return


@pytest.fixture(params=["embedded", "remote"])
async def provider(
    request: pytest.FixtureRequest, api: Starlette, context: ApiContext, settings: Settings
) -> AsyncIterator[ProviderClient]:
    if request.param == "embedded":
        provider = embedded(api, settings)
        yield provider
        await provider.close()
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Server(api, address="127.0.0.1", port=port, interface=Interfaces.ASGINL)
    serving = asyncio.create_task(server.serve())
    await asyncio.wait_for(wait_until_listening(port), 10)
    provider = remote(replace(settings, provider_url=f"http://127.0.0.1:{port}"))
    yield provider
    await provider.close()
    server.stop()
    await serving


async def test_every_submission_is_accepted(provider: ProviderClient, token: str) -> None:
    results = [
        await provider.submit("requestQuote", quote(token=token)),
        await provider.submit("sendMessage", message(token=token)),
        await provider.submit("submitAffiliateRequest", affiliate(token=token)),
    ]

    assert all(isinstance(result, Accepted) for result in results)
    assert [result.reference[0] for result in results if isinstance(result, Accepted)] == ["Q", "M", "A"]


async def test_the_lists_come_in_the_language_being_written(provider: ProviderClient) -> None:
    with use(BY_ID["th"]):
        countries, currencies = await asyncio.gather(provider.countries(), provider.currencies())

    assert isinstance(countries, CountryRows)
    assert isinstance(currencies, CurrencyRows)
    assert countries.countries[0].name == "กรีซ"
    assert len(currencies.currencies) > 150


async def test_a_slot_is_held_and_booked_and_then_unavailable(provider: ProviderClient, token: str) -> None:
    slots = await provider.meeting_slots()
    first = slots.results[0] if not isinstance(slots, Refused) else None
    assert first is not None

    own_hold = await provider.hold_slot(HoldRequest(slot=first.id))
    assert isinstance(own_hold, Held)
    booked = await provider.submit("bookMeeting", meeting(token=token, slot=first.id, hold=own_hold.hold))
    refused = await provider.submit("bookMeeting", meeting(token=token, slot=first.id))

    assert isinstance(booked, Accepted)
    assert isinstance(refused, SlotRefused)
    assert len(refused.results) == 3


async def test_a_refusal_names_the_refused_fields(provider: ProviderClient) -> None:
    ids = ["A" * 22]

    result = await provider.submit("requestQuote", quote(attachments=ids))

    assert isinstance(result, Refused)
    assert set(result.error.fields) == {"attachments"}


async def test_limits_apply_to_the_visitor_and_not_to_the_site(api: Starlette, context: ApiContext, settings: Settings) -> None:
    api.state.context = replace(context, limits=Limits(replace(settings, limit_reads="1/hour")))
    provider = embedded(api, settings)

    tokens = [await provider.form_token(client_ip=f"203.0.113.{n % 2}") for n in range(4)]

    assert [token is None for token in tokens] == [False, False, True, True]


def through(respond: Callable[[httpx.Request], httpx.Response]) -> ProviderClient:
    return ProviderClient("http://provider.test", "website", httpx.MockTransport(respond))


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(500, text="{}"),
        httpx.Response(503, json={"error": {"code": "busy", "message": "later"}}),
        httpx.Response(302, headers={"Location": "http://127.0.0.1/"}),
        httpx.Response(404, text="not found"),
    ],
)
async def test_an_invalid_reply_is_a_network_error_logged_once(
    response: httpx.Response, capsys: pytest.CaptureFixture[str]
) -> None:
    provider = through(lambda request: response)

    with pytest.raises(ProviderError, match=r"^Network Error$"):
        await provider.submit("sendMessage", message(subject="canary-5521"))

    output = capsys.readouterr()
    assert (output.out + output.err).count("provider.network_error") == 1
    assert "canary-5521" not in output.out + output.err


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="<html>"),
        httpx.Response(200, content=b" " * 2_000_000 + b"{}"),
        httpx.Response(200, content=gzip.compress(b"{}"), headers={"Content-Encoding": "gzip"}),
    ],
)
async def test_an_invalid_list_is_a_network_error(response: httpx.Response) -> None:
    with pytest.raises(ProviderError):
        await through(lambda request: response).countries()


@pytest.mark.parametrize(
    ("response", "reference"),
    [
        (httpx.Response(200, json={}), ""),
        (httpx.Response(200, json={"ok": True}), ""),
        (httpx.Response(201, json={"reference": 4711}), "4711"),
        (httpx.Response(200, json={"reference": "M-1 \n", "quarantined": "perhaps"}), "M-1"),
        (httpx.Response(200, json={"reference": ["x"]}), ""),
        (httpx.Response(204), ""),
        (httpx.Response(202, text="<html>thank you"), ""),
        (httpx.Response(200, json=[1]), ""),
        (httpx.Response(200, content=b" " * 2_000_000), ""),
        (httpx.Response(200, content=gzip.compress(b"{}"), headers={"Content-Encoding": "gzip"}), ""),
    ],
)
async def test_any_2xx_is_an_accepted_lead(response: httpx.Response, reference: str) -> None:
    for call, (_, build) in SUBMISSIONS.items():
        result = await through(lambda request: response).submit(call, build())

        assert isinstance(result, Accepted), call
        assert (result.reference, result.quarantined) == (reference, False)


async def test_a_2xx_with_an_endless_body_is_an_accepted_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site_app.client.transport.BODY_SECONDS", 0.05)

    async def endless() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    provider = through(lambda request: httpx.Response(200, content=endless()))

    assert isinstance(await provider.submit("sendMessage", message()), Accepted)


@pytest.mark.parametrize("response", [httpx.Response(409), httpx.Response(409, json={"error": "taken"})])
async def test_every_conflict_is_read_as_a_lost_time(response: httpx.Response) -> None:
    refused = await through(lambda request: response).submit("bookMeeting", meeting())

    assert isinstance(refused, SlotRefused)
    assert set(refused.error.fields) == {"slot"}


@pytest.mark.parametrize("status", [301, 404, 405, 429, 500, 501])
async def test_a_failed_optional_call_is_none_and_logged_once(status: int) -> None:
    provider = through(lambda request: httpx.Response(status, text="no"))

    with collected_log() as out:
        results = [await provider.form_token(), await provider.form_token()]
        results += [await provider.hold_slot(HoldRequest(slot="20300102T0930Z"))]
        results += [await provider.release_hold(ReleaseRequest(hold="k" * 16))]

    assert results == [None] * 4
    assert [line["call"] for line in lines(out)] == ["formToken", "holdSlot", "releaseHold"]


async def test_a_silent_provider_times_out_and_an_optional_call_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silence(request: httpx.Request) -> httpx.Response:
        await asyncio.Event().wait()
        raise AssertionError

    provider = ProviderClient("http://provider.test", "website", httpx.MockTransport(silence))

    monkeypatch.setattr("site_app.client.transport.OPTIONAL_SECONDS", 0.05)
    async with asyncio.timeout(1):  # much less than the timeout of any other call
        assert await provider.form_token() is None
    monkeypatch.setattr("site_app.client.transport.TOTAL_SECONDS", 0.05)
    with pytest.raises(ProviderError):
        await provider.countries()


async def test_an_unreachable_provider_is_a_network_error(settings: Settings) -> None:
    provider = remote(replace(settings, provider_url="http://127.0.0.1:1"))

    with pytest.raises(ProviderError):
        await provider.countries()


async def test_a_client_that_is_closed_is_a_network_error_that_names_the_call() -> None:
    """During a stop a socket's event may still call the provider."""
    provider = through(lambda request: httpx.Response(200, json={}))
    await provider.close()

    with collected_log() as out:
        with pytest.raises(ProviderError):
            await provider.countries()
        with pytest.raises(ProviderError):
            await provider.relay("GET", "/book", headers={}, stream=None)

    assert [(line["event"], line["call"]) for line in lines(out)] == [
        ("provider.network_error", "countries"),
        ("provider.network_error", "relay"),
    ]


async def test_a_missing_list_is_read_as_empty() -> None:
    provider = through(lambda request: httpx.Response(200, json={"ok": True}))

    countries, slots = await provider.countries(), await provider.meeting_slots()

    assert countries == CountryRows(countries=[])
    assert slots == Slots(results=[])


@pytest.mark.parametrize("extra_fields", [{}, {"flag": None, "symbol": {"narrow": "£"}, "dial_code": 44}])
async def test_a_row_of_a_list_needs_no_more_than_its_code_and_its_name(extra_fields: dict[str, Any]) -> None:
    row = {"code": "GB", "name": "United Kingdom"}
    provider = through(lambda request: httpx.Response(200, json={"countries": [row | extra_fields]}))

    countries = await provider.countries()

    assert countries == CountryRows(countries=[ListRow(**row)])


async def test_the_key_and_the_language_go_with_every_call() -> None:
    headers: list[httpx.Headers] = []

    def respond(request: httpx.Request) -> httpx.Response:
        headers.append(request.headers)
        return httpx.Response(200, json={"token": "t"})

    with use(BY_ID["cn"]):
        await through(respond).form_token(client_ip="203.0.113.9")

    assert (headers[0]["X-API-Key"], headers[0]["Accept-Language"], headers[0]["X-Forwarded-For"]) == (
        "website",
        "zh-Hans",
        "203.0.113.9",
    )


async def test_an_api_that_is_not_open_yet_is_a_network_error(settings: Settings) -> None:
    with pytest.raises(ProviderError):
        await embedded(make_api(settings), settings).countries()
