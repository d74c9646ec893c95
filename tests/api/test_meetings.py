"""Booking over the API: listing, holding, booking, and refusing everybody else."""

import asyncio
from datetime import timedelta
from typing import Any

import httpx
import pytest

from site_app.provider.http.call import ApiContext
from site_app.provider.store.tables import BookingCell, Meeting, Outbox
from tests.support.builders import meeting
from tests.support.clock import Clock
from tests.support.free_slots import free_slots
from tests.support.stored_rows import rows_in

pytestmark = pytest.mark.anyio
NINE, HALF_PAST_NINE = "20300103T0900Z", "20300103T0930Z"


async def book_by_api(client: httpx.AsyncClient, token: str, slot: str = NINE, **changes: Any) -> dict[str, Any]:
    response = await client.post("/v1.0/bookMeeting", json=meeting(slot=slot, token=token, **changes))
    assert response.status_code == 200, response.text
    return response.json()


async def test_slots_are_listed_in_utc_with_their_ends(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1.0/meetingSlots", json={})

    first = response.json()["results"][0]
    assert first == {"id": NINE, "start": "2030-01-03T09:00:00Z", "end": "2030-01-03T09:30:00Z"}


@pytest.mark.parametrize("filters", [{"first": "0001-01-01"}, {"last": "9999-12-31"}, {"first": "2031-01-01"}])
async def test_days_outside_the_calendar_are_accepted(client: httpx.AsyncClient, filters: dict[str, str]) -> None:
    assert (await client.post("/v1.0/meetingSlots", json=filters)).status_code == 200


async def test_a_meeting_is_booked_with_all_it_needs(client: httpx.AsyncClient, context: ApiContext, token: str) -> None:
    reply = await book_by_api(client, token, language="cn", time_zone="Asia/Shanghai")

    [stored] = await rows_in(context.store, Meeting)
    assert (reply["ok"], reply["reference"]) == (True, stored.reference)
    assert (reply["day"], reply["clocks"]) == ("2030年1月3日周四", "北京时间 17:00 · 伦敦时间 09:00")
    assert reply["slot"] == {"id": NINE, "start": "2030-01-03T09:00:00Z", "end": "2030-01-03T09:30:00Z"}
    assert reply["manage_url"].startswith("http://localhost:3000/cn/meetings/")
    assert reply["calendar"]["ics"] == reply["manage_url"] + "/call.ics"
    assert len(await rows_in(context.store, Outbox)) == 2
    assert NINE not in await free_slots(client)


@pytest.mark.parametrize("rounds", [1, pytest.param(10, marks=pytest.mark.slow)])
async def test_one_of_200_visitors_gets_a_slot(client: httpx.AsyncClient, context: ApiContext, token: str, rounds: int) -> None:
    for slot in (await free_slots(client))[::2][:rounds]:

        async def attempt(slot: str = slot) -> int:
            return (await client.post("/v1.0/bookMeeting", json=meeting(slot=slot, token=token))).status_code

        statuses = await asyncio.gather(*(attempt() for _ in range(200)))

        assert sorted(statuses) == [200, *[409] * 199]
    assert len(await rows_in(context.store, Meeting)) == rounds
    assert len(await rows_in(context.store, BookingCell)) == 3 * rounds
    assert len(await rows_in(context.store, Outbox)) == 2 * rounds


async def test_the_same_submission_is_one_booking_however_often_it_comes(
    client: httpx.AsyncClient, context: ApiContext, token: str
) -> None:
    payload = meeting(slot=NINE, token=token)

    responses = await asyncio.gather(*(client.post("/v1.0/bookMeeting", json=payload) for _ in range(20)))

    assert {response.status_code for response in responses} == {200}
    assert len({response.json()["reference"] for response in responses}) == 1
    assert len(await rows_in(context.store, Meeting)) == 1


async def test_a_hold_lasts_until_released_by_a_beacon(client: httpx.AsyncClient) -> None:
    own_hold = (await client.post("/v1.0/holdSlot", json={"slot": NINE})).json()

    assert own_hold["expires_at"] == "2030-01-02T12:10:00Z"
    assert NINE not in await free_slots(client)
    assert NINE in await free_slots(client, hold=own_hold["hold"])
    assert (await client.post("/v1.0/holdSlot", json={"slot": HALF_PAST_NINE})).status_code == 409

    beacon = f'{{"hold": "{own_hold["hold"]}"}}'
    response = await client.post(
        "/v1.0/releaseHold", content=beacon, headers={"X-API-Key": "", "Content-Type": "text/plain;charset=UTF-8"}
    )

    assert response.status_code == 200
    assert NINE in await free_slots(client)


@pytest.mark.parametrize("token", [None, "", "abc.def.ghi", "x" * 5000])
async def test_a_missing_or_foreign_token_stops_no_booking(client: httpx.AsyncClient, context: ApiContext, token: str) -> None:
    response = await client.post("/v1.0/bookMeeting", json=meeting(slot=NINE, token=token))

    assert response.status_code == 200, response.text
    [row] = await rows_in(context.store, Meeting)
    assert (row.status, bool(row.status_reason)) == ("new", True)


@pytest.mark.parametrize("sign", [{"website_url": "https://spam.example"}, {}])
async def test_a_meeting_that_looks_automatic_is_booked_when_it_is_sent_again(
    client: httpx.AsyncClient, context: ApiContext, clock: Clock, sign: dict[str, str]
) -> None:
    payload = meeting(slot=NINE, token=context.tokens.form_token())  # sent at once

    refused = await client.post("/v1.0/bookMeeting", json=payload | sign)
    clock.advance(timedelta(seconds=5))
    booked = await client.post("/v1.0/bookMeeting", json=payload)

    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "looks_automatic")
    assert booked.status_code == 200
    assert len(await rows_in(context.store, Meeting)) == 1
