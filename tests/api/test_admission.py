"""A whole office is served, one person and one network are limited, and server errors use up no allowance."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from site_app.core.settings import Settings
from site_app.provider.api.app import make_api, open_provider
from site_app.provider.http.call import ApiContext
from site_app.provider.store import StoreUnavailable
from tests.support.booking_pages import ADA, inputs
from tests.support.builders import meeting, message, quote
from tests.support.clients import client_of, with_plain_pages

pytestmark = pytest.mark.anyio
NO_TIME, TWO_A_MINUTE = timedelta(0), "2/minute"
PROXY = "10.0.0.1"
ADDRESS = "203.0.113.7"
Visit = Callable[..., Awaitable[httpx.Response]]


@pytest.fixture
def default_settings(settings: Settings) -> Settings:
    """The default limits of a site behind a proxy."""
    defaults = Settings()
    limits = {name: getattr(defaults, name) for name in vars(defaults) if name.startswith("limit_")}
    return replace(settings, trusted_proxies=(PROXY,), **limits)


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[tuple[ApiContext, Visit]]:
    """Yields the API's context, and a function that sends requests from an address."""
    api: Starlette = make_api(settings)
    async with (
        open_provider(api, settings) as context,
        client_of(with_plain_pages(api, settings), PROXY, X_API_Key="website") as client,
    ):

        async def visit(path: str, address: str = ADDRESS, **options: Any) -> httpx.Response:
            return await client.request("POST" if options else "GET", path, headers={"X-Forwarded-For": address}, **options)

        yield context, visit


def message_of(number: int, **fields: Any) -> dict[str, Any]:
    return message(email=f"person{number}@example.com", **fields)


async def test_fifty_people_of_one_office_are_all_accepted(default_settings: Settings) -> None:
    async with serving(default_settings) as (context, visit):
        responses = [await visit("/v1.0/sendMessage", json=message_of(n, token=context.tokens.form_token())) for n in range(50)]

    assert {response.status_code for response in responses} == {200}


@pytest.mark.parametrize("payload", [message_of, lambda number: {"nonsense": number}], ids=["leads", "garbage"])
async def test_a_flood_of_one_network_is_refused_with_a_waiting_time(
    default_settings: Settings, payload: Callable[[int], Any]
) -> None:
    async with serving(replace(default_settings, limit_submissions=TWO_A_MINUTE)) as (_, visit):
        responses = [await visit("/v1.0/sendMessage", json=payload(number)) for number in range(20)]
        elsewhere = await visit("/v1.0/sendMessage", "203.0.113.8", json=message_of(0))

    refused = [response for response in responses if response.status_code == 429]
    assert refused
    assert all(0 < int(response.headers["Retry-After"]) <= 60 for response in refused)
    assert elsewhere.status_code == 200


async def test_a_networks_long_leads_are_limited_a_day_and_ordinary_ones_accepted(default_settings: Settings) -> None:
    at_length = "Looms and engines. " * 260
    many = replace(default_settings, limit_submissions="10000/minute", submissions_a_day_mb=1)
    async with serving(many) as (_, visit):
        responses = [await visit("/v1.0/sendMessage", json=message_of(n, message=at_length)) for n in range(230)]
        ordinary = await visit("/v1.0/sendMessage", json=message_of(0))
        elsewhere = await visit("/v1.0/sendMessage", "203.0.113.8", json=message_of(1, message=at_length))

    accepted = sum(response.status_code == 200 for response in responses)
    assert 150 < accepted < 220
    assert {response.status_code for response in responses[accepted:]} == {429}
    assert 3600 < int(responses[-1].headers["Retry-After"]) <= 24 * 3600
    assert (ordinary.status_code, elsewhere.status_code) == (200, 200)


async def test_invalid_submissions_do_not_use_up_a_networks_bytes(default_settings: Settings) -> None:
    many = replace(default_settings, limit_submissions="10000/minute", submissions_a_day_mb=1)
    async with serving(many) as (_, visit):
        garbage = [await visit("/v1.0/sendMessage", json={"nonsense": "x" * 100_000}) for _ in range(15)]
        lead = await visit("/v1.0/sendMessage", json=message_of(0, message="Looms and engines. " * 260))

    assert {response.status_code for response in garbage} == {422}
    assert lead.status_code == 200


@pytest.mark.parametrize("shared", ["email", "token", "mailbox"])
async def test_one_person_is_limited_across_all_addresses(default_settings: Settings, shared: str) -> None:
    async with serving(default_settings) as (context, visit):
        token = context.tokens.form_token()
        same = {"email": lambda _: {"email": "ada@gmail.com"}, "token": lambda _: {"token": token}}
        shared_fields = (same | {"mailbox": lambda number: {"email": f"Ada+{number}@example.com"}})[shared]
        responses = [
            await visit("/v1.0/sendMessage", f"203.0.113.{number}", json=message_of(number) | shared_fields(number))
            for number in range(11)
        ]

    assert [response.status_code for response in responses] == [*[200] * 10, 429]


async def test_corrections_of_a_form_do_not_lock_a_visitor_out(default_settings: Settings) -> None:
    async with serving(default_settings) as (_, visit):
        for _ in range(15):
            assert (await visit("/v1.0/sendMessage", json=message(subject=""))).status_code == 422

        assert (await visit("/v1.0/sendMessage", json=message())).status_code == 200


@pytest.mark.parametrize("call", ["sendMessage", "bookMeeting"])
async def test_a_submission_whose_replies_are_lost_is_counted_once(default_settings: Settings, call: str) -> None:
    generous = replace(default_settings, minimum_filling_time=NO_TIME)
    async with serving(generous) as (context, visit):
        sender = {"email": "ada@example.com", "token": context.tokens.form_token()}
        [slot, *_] = await free_slots(visit)
        payload = meeting(slot=slot, **sender) if call == "bookMeeting" else message(**sender)
        repeated = [await visit(f"/v1.0/{call}", json=payload) for _ in range(15)]
        others = [await visit("/v1.0/sendMessage", json=message(**sender)) for _ in range(10)]

    assert [response.status_code for response in repeated] == [200] * 15
    assert [response.status_code for response in others] == [*[200] * 9, 429]


@pytest.mark.parametrize(("error", "status"), [(StoreUnavailable, 503), (RuntimeError, 500)])
async def test_a_server_error_uses_up_no_allowance(
    default_settings: Settings, monkeypatch: pytest.MonkeyPatch, error: type[Exception], status: int
) -> None:
    async def broken(*_: object) -> None:
        raise error

    async with serving(default_settings) as (context, visit):
        with monkeypatch.context() as patch:
            patch.setattr(context.store, "write_together", broken)
            failed = {(await visit("/v1.0/sendMessage", json=message())).status_code for _ in range(70)}
        response = await visit("/v1.0/sendMessage", json=message())

    assert (failed, response.status_code) == ({status}, 200)


async def test_all_forms_of_a_network_are_one_count(default_settings: Settings) -> None:
    async with serving(replace(default_settings, limit_submissions="1/hour")) as (_, visit):
        responses = [await visit("/v1.0/sendMessage", json=message_of(number)) for number in range(3)]
        responses += [await visit("/v1.0/requestQuote", json=quote(email=f"x{number}@example.com")) for number in range(3)]
        page = await visit("/book/details", data=ADA | {"slot": "x"})

    assert {response.status_code for response in responses} == {200}
    assert page.status_code == 429
    assert page.headers["Retry-After"]


async def test_addresses_of_one_ipv6_48_share_the_limit(default_settings: Settings) -> None:
    async with serving(replace(default_settings, limit_submissions=TWO_A_MINUTE)) as (_, visit):
        responses = [
            await visit("/v1.0/sendMessage", f"2001:db8:1:{number:x}::1", json=message_of(number)) for number in range(20)
        ]

    assert 429 in {response.status_code for response in responses}


async def test_the_refusal_says_how_long_to_wait_and_where_else_to_write(default_settings: Settings) -> None:
    async with serving(replace(default_settings, limit_submissions="1/hour")) as (context, visit):
        await visit("/v1.0/sendMessage", json=message())
        refused = await visit("/v1.0/sendMessage", json=message())

    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (429, "too_many")
    assert "60 minutes" in error["message"]
    assert context.settings.brand_email in error["message"]
    assert refused.headers["Retry-After"] == "3600"


async def free_slots(visit: Visit) -> list[str]:
    return [slot["id"] for slot in (await visit("/v1.0/meetingSlots", json={})).json()["results"]][::4]


async def test_pages_and_api_share_the_limit_of_holds_and_other_slots_can_be_booked(default_settings: Settings) -> None:
    async with serving(replace(default_settings, minimum_filling_time=NO_TIME)) as (context, visit):
        slots = await free_slots(visit)
        responses = [await visit("/book", data={"slot": slot}) for slot in slots[:2]]
        responses += [await visit("/v1.0/holdSlot", json={"slot": slots[2]})]
        page, call = await visit("/book", data={"slot": slots[3]}), await visit("/v1.0/holdSlot", json={"slot": slots[3]})
        form = {"slot": slots[3], "key": "k" * 16, "token": context.tokens.form_token(), **ADA}
        booked = await visit(page.headers["Location"], data=form)

    assert [response.status_code for response in responses] == [303, 303, 200]
    assert (call.status_code, call.json()["error"]["code"]) == (429, "too_many")
    assert call.headers["Retry-After"]
    assert (page.status_code, booked.status_code) == (303, 303)
    assert booked.headers["Location"].startswith("/meetings/")


async def test_a_time_that_cannot_be_held_still_has_its_form(default_settings: Settings) -> None:
    async with serving(replace(default_settings, limit_open_holds=0)) as (_, visit):
        slot = (await free_slots(visit))[0]
        page = await visit((await visit("/book", data={"slot": slot, "zone": "UTC"})).headers["Location"])

    assert page.status_code == 200
    assert re.search(rf'value="{slot}"[^>]* checked', page.text)
    assert inputs(page.text)["key"]


async def test_a_second_meeting_of_one_mailbox_is_refused_with_advice_to_move_the_first(default_settings: Settings) -> None:
    async with serving(replace(default_settings, minimum_filling_time=NO_TIME)) as (context, visit):
        slots, token = await free_slots(visit), context.tokens.form_token()
        first = await visit("/v1.0/bookMeeting", json=meeting(slot=slots[0], token=token, email="ada@gmail.com"))
        second = await visit("/v1.0/bookMeeting", json=meeting(slot=slots[1], token=token, email="A.da+x@gmail.com"))

    assert (first.status_code, second.status_code) == (200, 409)
    assert second.json()["error"]["code"] == "call_exists"
    assert set(second.json()["error"]["fields"]) == {"email"}
    assert first.json()["manage_url"] not in second.text


async def test_a_visitor_who_has_a_meeting_already_can_move_it_to_the_time_that_they_held(default_settings: Settings) -> None:
    async with serving(replace(default_settings, minimum_filling_time=NO_TIME)) as (context, visit):
        slots, token = await free_slots(visit), context.tokens.form_token()
        ada = {"token": token, "email": "ada@gmail.com"}
        await visit("/v1.0/bookMeeting", json=meeting(slot=slots[0], **ada))
        held = await visit("/v1.0/holdSlot", json={"slot": slots[1]})
        refused = await visit("/v1.0/bookMeeting", json=meeting(slot=slots[1], hold=held.json()["hold"], **ada))
        free = (await visit("/v1.0/meetingSlots", json={})).json()["results"]

    assert (held.status_code, refused.status_code) == (200, 409)
    assert slots[1] in [slot["id"] for slot in free]


async def test_pages_and_calls_book_no_more_than_a_networks_share(default_settings: Settings) -> None:
    generous = replace(default_settings, minimum_filling_time=NO_TIME)
    async with serving(generous) as (context, visit):
        slots = await free_slots(visit)
        payloads = [meeting(slot=slot, token=context.tokens.form_token()) for slot in slots[: default_settings.limit_calls]]
        for payload in payloads:
            assert (await visit("/v1.0/bookMeeting", json=payload)).status_code == 200
        slot, token = slots[-1], context.tokens.form_token()
        call = await visit("/v1.0/bookMeeting", json=meeting(slot=slot, token=token))
        page = await visit("/book/details", data={"slot": slot, "key": "k" * 16, "token": token, **ADA})
        refused = await visit(
            "/v1.0/bookMeeting", json=payloads[0] | {"slot": slot, "token": context.tokens.form_token(), "key": "q" * 16}
        )
        elsewhere = await visit("/v1.0/bookMeeting", "198.51.100.9", json=meeting(slot=slot, token=context.tokens.form_token()))

    assert (call.status_code, call.json()["error"]["code"]) == (409, "too_many_calls")
    assert refused.json() == call.json()  # the response must not reveal that this address has a meeting
    assert page.status_code == 409
    assert context.settings.brand_email in page.text
    assert elsewhere.status_code == 200
