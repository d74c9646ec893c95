"""The host's CalDAV calendars are read again for one day, just before a slot of that day is taken."""

import re
from dataclasses import replace

import httpx
import pytest

from site_app.provider.booking.calendar_reading import DayReader
from site_app.provider.booking.slots import Availability
from site_app.provider.store import Store
from tests.support.bookings import NOW, SETTINGS

pytestmark = pytest.mark.anyio
EVENT = (
    "<response><href>/ada/calls/a.ics</href><propstat><prop><C:calendar-data>BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\n"
    "UID:a\r\nDTSTART:{}\r\nDURATION:PT30M\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n</C:calendar-data></prop></propstat></response>"
)


def server_with(start: str) -> httpx.MockTransport:
    """Returns a server with an event at this time without a zone, which it searches as if it were in UTC, as RFC 4791 allows."""

    def search(request: httpx.Request) -> httpx.Response:
        first, last = re.findall(r'(?:start|end)="(\w+)Z"', request.content.decode())
        found = EVENT.format(start) if first < start < last else ""
        text = f'<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">{found}</multistatus>'
        return httpx.Response(207, text=text)

    return httpx.MockTransport(search)


@pytest.mark.parametrize(
    ("zone", "start", "slot"),
    [
        ("Europe/London", "20260604T140000", "20260604T1300Z"),
        ("Pacific/Auckland", "20260604T140000", "20260604T0200Z"),
        ("America/Los_Angeles", "20260604T063000", "20260604T1330Z"),
    ],
)
async def test_an_event_without_a_zone_takes_its_slot_wherever_the_host_lives(
    store: Store, monkeypatch: pytest.MonkeyPatch, zone: str, start: str, slot: str
) -> None:
    monkeypatch.setattr("site_app.provider.booking.calendar_reading._DAY_SECONDS", 60)  # on a busy machine
    settings = replace(
        SETTINGS, booking_zone=zone, booking_hours=("06:00-17:00",), caldav_url=("https://dav.example.com/ada/calls/",)
    )

    async def is_free() -> bool:
        slots = await store.read(lambda session: Availability(session, settings, NOW).slots())
        return slot in {free.id for free in slots}

    assert await is_free()

    await DayReader(store, settings, lambda: NOW, server_with(start))(slot)

    assert not await is_free()
