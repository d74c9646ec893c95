"""The calendar feed has a secret address; the host's calendar is read without trusting its server."""

from dataclasses import replace
from datetime import timedelta

import httpx
import pytest
from icalendar import Calendar

from site_app.core.settings import Settings
from site_app.provider.booking.busy import calendar_warnings
from site_app.provider.booking.calendar_reading import read_all
from site_app.provider.booking.slots import Availability
from site_app.provider.http.call import ApiContext
from site_app.provider.store import StoreUnavailable
from tests.support.builders import meeting
from tests.support.clock import Clock

pytestmark = pytest.mark.anyio
KEY = "k" * 32
FEED = "https://calendar.example.org/x.ics"
NINE = "20300103T0900Z"
ICS = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20300103T091000Z\r\nDURATION:PT1H\r\n"
    "END:VEVENT\r\nEND:VCALENDAR\r\n"
)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, booking_feed_key=KEY, booking_busy_url=(FEED,))


@pytest.fixture(autouse=True)
def read_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    async def read_nothing(*_: object) -> None:
        pass

    monkeypatch.setattr("site_app.provider.api.app.read_calendars_forever", read_nothing)


async def read(context: ApiContext, response: httpx.Response | Exception) -> None:
    def serve(request: httpx.Request) -> httpx.Response:
        if isinstance(response, Exception):
            raise response
        return response

    await read_all(context.store, context.settings, context.clock(), transport=httpx.MockTransport(serve))


async def warnings(context: ApiContext) -> str:
    return "\n".join(await context.store.read(lambda session: calendar_warnings(session, context.settings)))


async def free(context: ApiContext) -> set[str]:
    slots = await context.store.read(lambda session: Availability(session, context.settings, context.clock()).slots())
    return {slot.id for slot in slots}


async def test_the_feed_has_the_meetings_at_its_secret_address(client: httpx.AsyncClient, token: str) -> None:
    await client.post("/v1.0/bookMeeting", json=meeting(slot=NINE, token=token))

    response = await client.get(f"/calendar/{KEY}.ics", headers={"X-API-Key": ""})

    [event] = Calendar.from_ical(response.content).walk("VEVENT")
    assert str(event["summary"]) == "Call with Ada Lovelace"
    assert (await client.get(f"/calendar/{'x' * 32}.ics")).status_code == 404


async def test_an_unavailable_feed_asks_for_a_later_retry(
    client: httpx.AsyncClient, context: ApiContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(_: object) -> None:
        raise StoreUnavailable("busy")

    monkeypatch.setattr(context.store, "read", busy)

    response = await client.get(f"/calendar/{KEY}.ics")

    assert (response.status_code, response.headers.get("Retry-After")) == (503, "2")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
async def test_busy_times_of_the_host_block_slots(context: ApiContext, encoding: str) -> None:
    assert NINE in await free(context)

    await read(context, httpx.Response(200, content=ICS.encode(encoding)))

    assert not {NINE, "20300103T0930Z", "20300103T1000Z"} & await free(context)
    assert "20300103T1030Z" in await free(context)


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(500),
        httpx.Response(302, headers={"Location": "http://169.254.169.254/"}),
        httpx.Response(200, text="<html>"),
        httpx.Response(200, text="x" * (6 * 1024 * 1024)),
        httpx.ConnectTimeout("slow"),
    ],
)
async def test_an_unreadable_calendar_keeps_the_known_busy_times(
    context: ApiContext, clock: Clock, response: httpx.Response | Exception
) -> None:
    await read(context, httpx.Response(200, text=ICS))
    clock.advance(timedelta(minutes=10))

    await read(context, response)

    assert NINE not in await free(context)
    assert "2030-01-02 12:00 UTC" in await warnings(context)


async def test_an_unreadable_event_is_reported_and_the_rest_counts(context: ApiContext) -> None:
    broken = "BEGIN:VEVENT\r\nUID:x\r\nDTSTART:00010101T000000Z\r\nDTEND:99991231T235959Z\r\nEND:VEVENT\r\n"

    await read(context, httpx.Response(200, text=ICS.replace("BEGIN:VEVENT", f"{broken}BEGIN:VEVENT", 1)))

    assert NINE not in await free(context)
    assert "1 of its events" in await warnings(context)
    await read(context, httpx.Response(200, text=ICS))
    assert await warnings(context) == ""


async def test_the_next_successful_reading_replaces_the_busy_times(context: ApiContext) -> None:
    await read(context, httpx.Response(200, text=ICS))
    await read(context, httpx.Response(200, text="BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"))

    assert NINE in await free(context)
    assert await warnings(context) == ""


async def test_a_calendar_that_fails_keeps_its_times_and_the_others_are_renewed(context: ApiContext) -> None:
    second = "https://calendar.example.org/second.ics"
    events = {FEED: ICS, second: ICS.replace("UID:a", "UID:b").replace("T0910", "T1200")}

    def serve(request: httpx.Request) -> httpx.Response:
        text = events[str(request.url)]
        return httpx.Response(200, text=text) if text else httpx.Response(500)

    settings = replace(context.settings, booking_busy_url=(FEED, second))

    async def taken_slots() -> set[str]:
        await read_all(context.store, settings, context.clock(), transport=httpx.MockTransport(serve))
        return {NINE, "20300103T1200Z"} - await free(context)

    both = await taken_slots()
    events |= {FEED: "", second: ICS.replace("T0910", "T1500")}
    first_alone = await taken_slots()
    settings = replace(settings, booking_busy_url=(second,))
    none = await taken_slots()

    assert (both, first_alone, none) == ({NINE, "20300103T1200Z"}, {NINE}, set())


@pytest.mark.parametrize("url", ["https://localhost/x.ics", "https://169.254.169.254/x.ics", "https://[::1]/x.ics"])
async def test_a_calendar_in_a_private_network_is_not_called(context: ApiContext, url: str) -> None:
    settings = replace(context.settings, booking_busy_url=(url,), caldav_url=("https://10.0.0.1/calls/",))

    await read_all(context.store, settings, context.clock())

    problems = await context.store.read(lambda session: calendar_warnings(session, settings))
    assert ["PrivateAddress" in problem for problem in problems] == [True, True]
