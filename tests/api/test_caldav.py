"""The host's CalDAV calendar, a real Radicale: calls are written into it, and what the host does in it is seen."""

import asyncio
import math
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from sqlmodel import select

from site_app.core.settings import Settings
from site_app.provider.api.app import make_api, open_provider
from site_app.provider.api.sweep import sweep_batch
from site_app.provider.booking.busy import calendar_warnings
from site_app.provider.booking.calendar_entries import EntryWriter, differences, write_missing_entries
from site_app.provider.booking.calendar_reading import read_all
from site_app.provider.booking.meeting import cancel_by_link, move_by_link, write_reminders
from site_app.provider.booking.slots import Availability
from site_app.provider.http.call import ApiContext
from site_app.provider.office.actions import drop_guest, mark_meeting
from site_app.provider.outbox.transports import NotDelivered
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import CalendarEntry, Meeting, Outbox, OutboxKind
from tests.support.builders import meeting
from tests.support.clients import client_of
from tests.support.clock import Clock
from tests.support.radicale_server import PASSWORD, USER, Radicale, radicale
from tests.support.stored_rows import mark_mails_sent, rows_in

pytestmark = pytest.mark.anyio
NINE, HALF_PAST_TEN, NOON = "20300103T0900Z", "20300103T1030Z", "20300103T1200Z"
GUEST = "bo@guest.example.org"
AT_NOON = "UID:host@example.org\nDTSTAMP:20300101T000000Z\nDTSTART:20300103T120000Z\nDURATION:PT30M"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Radicale]:
    with radicale(tmp_path_factory.mktemp("radicale")) as running:
        yield running


@pytest.fixture
def host(server: Radicale, request: pytest.FixtureRequest) -> Radicale:
    """The server with empty calendars."""
    for name in ("calls", "home"):
        httpx.request("DELETE", server.calendar(name), auth=(USER, PASSWORD), trust_env=False)
        server.make(name)
    return server


@pytest.fixture
def settings(settings: Settings, host: Radicale) -> Settings:
    return replace(
        settings, caldav_url=(host.calendar("calls"), host.calendar("home")), caldav_user=USER, caldav_password=PASSWORD
    )


@pytest.fixture(autouse=True)
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """The regular reading rests like the courier, so that a test decides when they act."""

    async def read_nothing(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("site_app.provider.api.app.read_calendars_forever", read_nothing)
    monkeypatch.setattr("site_app.provider.api.app.write_reminders_forever", read_nothing)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives a reading before a booking as long as a busy machine needs."""
    monkeypatch.setattr("site_app.provider.booking.calendar_reading._DAY_SECONDS", 60)
    monkeypatch.setattr("site_app.provider.booking.calendar_reading._DAY_FETCH_SECONDS", 30)


async def book(client: httpx.AsyncClient, token: str, slot: str = NINE, **changes: str) -> str:
    """Books a call and returns the token of its link."""
    response = await client.post("/v1.0/bookMeeting", json=meeting(slot=slot, token=token, **changes))
    assert response.status_code == 200, response.text
    return response.json()["manage_url"].rpartition("/")[2]


async def deliver(context: ApiContext, settings: Settings | None = None) -> None:
    """Does what the courier does with the writes to the calendar."""
    writer = EntryWriter(context.store, settings or context.settings, context.clock)
    for row in await rows_in(context.store, Outbox):
        if row.kind == OutboxKind.CALENDAR_WRITE:
            await writer.deliver(row)
            await context.store.write(lambda session, row=row: session.delete(session.get(Outbox, row.id)))


async def free(context: ApiContext) -> set[str]:
    slots = await context.store.read(lambda session: Availability(session, context.settings, context.clock()).slots())
    return {slot.id for slot in slots}


async def change(context: ApiContext, step: Callable[..., object], token: str, *arguments: str) -> None:
    options = {"settings": context.settings, "now": context.clock()}
    await context.store.write(lambda session: step(session, token, *arguments, **options))


async def reported_differences(context: ApiContext) -> list[tuple[str, datetime | None]]:
    await read_all(context.store, context.settings, context.clock())
    changes = await context.store.read(lambda session: differences(session, now=context.clock()))
    return [(difference.entry.difference, difference.entry.host_starts_at) for difference in changes]


async def warnings(context: ApiContext) -> list[str]:
    return await context.store.read(lambda session: calendar_warnings(session, context.settings))


async def test_a_meeting_is_written_moved_and_cancelled_under_its_own_uid(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale
) -> None:
    link = await book(client, token)
    await deliver(context)
    [row] = await rows_in(context.store, Meeting)
    [entry] = host.events()

    await change(context, move_by_link, link, HALF_PAST_TEN)
    await deliver(context)
    [moved] = host.events()

    await change(context, cancel_by_link, link)
    await deliver(context)

    assert (entry.uid, entry.start, str(entry["summary"])) == (
        row.uid,
        datetime(2030, 1, 3, 9, tzinfo=UTC),
        "Call with Ada Lovelace",
    )
    assert (moved.uid, moved.start, moved["sequence"]) == (row.uid, datetime(2030, 1, 3, 10, 30, tzinfo=UTC), 1)
    assert host.events() == []


async def test_the_calendar_invites_nobody(client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale) -> None:
    await book(client, token, email="visitor@example.net")
    await deliver(context)

    [text] = host.files().values()

    assert "ATTENDEE" not in text
    assert "visitor@example.net" not in text


async def test_writing_twice_leaves_one_entry(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale
) -> None:
    await book(client, token)
    await deliver(context)
    entry_forgotten = select(CalendarEntry)
    await context.store.write(lambda session: [session.delete(row) for row in session.exec(entry_forgotten)])
    await context.store.write(lambda session: write_missing_entries(session, settings=context.settings, now=context.clock()))
    await deliver(context)

    assert len(host.events()) == 1
    assert len(await rows_in(context.store, CalendarEntry)) == 1


async def test_an_entry_imported_from_the_mail_is_updated_in_place(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale
) -> None:
    link = await book(client, token)
    file = await client.get(f"/meetings/{link}/call.ics")
    host.ask("PUT", f"{host.calendar()}imported.ics", file.text, Content_Type="text/calendar")

    await deliver(context)
    await change(context, move_by_link, link, HALF_PAST_TEN)
    await deliver(context)

    assert list(host.files()) == ["imported.ics"]
    assert host.events()[0].start == datetime(2030, 1, 3, 10, 30, tzinfo=UTC)


@pytest.mark.parametrize("step", ["cancelled", "erased"])
async def test_an_entry_leaves_the_calendar_although_the_host_gave_it_another_name(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale, clock: Clock, step: str
) -> None:
    link = await book(client, token)
    await deliver(context)
    [(name, text)] = host.files().items()
    host.ask("DELETE", f"{host.calendar()}{name}")  # moved to another calendar and back
    host.ask("PUT", f"{host.calendar()}back.ics", text, Content_Type="text/calendar")

    if step == "cancelled":
        await change(context, cancel_by_link, link)
    else:
        clock.advance(timedelta(days=1000))
        await context.store.write(lambda session: sweep_batch(session, now=clock(), settings=context.settings))
    await deliver(context)

    assert host.files() == {}


async def test_a_meeting_that_moves_is_written_over_what_the_host_changed(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale
) -> None:
    link = await book(client, token)
    await deliver(context)
    [name] = host.files()
    host.put(f"UID:{host.events()[0].uid}\nDTSTART:20300103T150000Z\nDURATION:PT30M", name=name.removesuffix(".ics"))

    await change(context, move_by_link, link, HALF_PAST_TEN)
    await deliver(context)

    assert [event.start for event in host.events()] == [datetime(2030, 1, 3, 10, 30, tzinfo=UTC)]


async def test_an_erased_meeting_is_taken_out_of_the_calendar(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale, clock: Clock
) -> None:
    await book(client, token)
    await deliver(context)
    clock.advance(timedelta(days=1000))

    await context.store.write(lambda session: sweep_batch(session, now=clock(), settings=context.settings))
    await deliver(context)

    assert host.events() == []
    assert await rows_in(context.store, CalendarEntry) == []


async def remove_guest(context: ApiContext) -> None:
    [row] = await rows_in(context.store, Meeting)
    actor = Actor("ada", context.clock())
    await context.store.write(lambda session: drop_guest(session, row.reference, actor, context.settings))
    await deliver(context)


@pytest.mark.parametrize("outcome", ["", "attended", "no-show"])
async def test_a_guest_is_taken_out_of_the_entry_of_a_call_that_is_over(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale, clock: Clock, outcome: str
) -> None:
    await book(client, token, guest_email=GUEST)
    await deliver(context)
    named = [GUEST in str(event["description"]) for event in host.events()]
    clock.advance(timedelta(days=5))
    if outcome:
        [row] = await rows_in(context.store, Meeting)
        actor = Actor("ada", context.clock())
        await context.store.write(lambda session: mark_meeting(session, row.reference, outcome, "", actor, context.settings))

    await remove_guest(context)

    assert named == [True]
    assert [GUEST in str(event["description"]) for event in host.events()] == [False]


async def test_an_entry_of_a_past_call_that_the_host_deleted_is_not_written_again(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale, clock: Clock
) -> None:
    await book(client, token, guest_email=GUEST)
    await deliver(context)
    clock.advance(timedelta(days=5))
    [name] = host.files()
    host.ask("DELETE", host.calendar() + name)

    await remove_guest(context)

    assert host.files() == {}


@pytest.mark.parametrize("is_noted", [True, False], ids=["after a reading", "before a reading"])
async def test_removing_a_guest_leaves_an_entry_deleted_that_the_host_deleted(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale, is_noted: bool
) -> None:
    await book(client, token, guest_email=GUEST)
    await deliver(context)
    [name] = host.files()
    host.ask("DELETE", host.calendar() + name)
    if is_noted:
        await reported_differences(context)

    await remove_guest(context)

    assert host.files() == {}
    assert await reported_differences(context) == [("deleted", None)]


async def test_removing_a_guest_leaves_an_entry_where_the_host_moved_it(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale
) -> None:
    await book(client, token, guest_email=GUEST)
    await deliver(context)
    [name] = host.files()
    [event] = host.events()
    lines = f"UID:{event.uid}\nDTSTART:20300103T150000Z\nDURATION:PT30M\nDESCRIPTION:Guest: {GUEST}"
    host.put(lines, name=name.removesuffix(".ics"))
    before = await reported_differences(context)

    await remove_guest(context)
    stored = [(entry.difference, entry.host_starts_at) for entry in await rows_in(context.store, CalendarEntry)]

    assert [GUEST in text for text in host.files().values()] == [False]
    assert before == stored == [("moved", datetime(2030, 1, 3, 15, tzinfo=UTC))]
    assert await reported_differences(context) == before


async def test_removing_the_guest_of_a_cancelled_call_writes_no_entry(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale
) -> None:
    link = await book(client, token, guest_email=GUEST)
    await deliver(context)
    await context.store.write(mark_mails_sent)
    await change(context, cancel_by_link, link)
    await remove_guest(context)

    assert host.files() == {}


@pytest.mark.usefixtures("patient")
async def test_a_slot_that_the_host_has_just_taken_is_neither_held_nor_booked(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale
) -> None:
    assert NOON in await free(context)
    host.put(AT_NOON, calendar="home")

    hold = await client.post("/v1.0/holdSlot", json={"slot": NOON})
    booked = await client.post("/v1.0/bookMeeting", json=meeting(slot=NOON, token=token))

    assert (hold.status_code, booked.status_code) == (409, 409)
    assert NOON not in await free(context)


@pytest.mark.usefixtures("patient")
async def test_a_slot_that_the_host_has_just_freed_is_free(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale
) -> None:
    host.put(AT_NOON + "\nSUMMARY:Dentist", calendar="home")
    await read_all(context.store, context.settings, context.clock())
    free_slots = await free(context)
    host.put(AT_NOON + "\nTRANSP:TRANSPARENT", calendar="home")

    response = await client.post("/v1.0/bookMeeting", json=meeting(slot=NOON, token=token))

    assert (NOON in free_slots, response.status_code) == (False, 200)


@pytest.mark.usefixtures("patient")
async def test_reading_a_day_leaves_the_other_days_of_a_long_event(
    client: httpx.AsyncClient, context: ApiContext, host: Radicale
) -> None:
    host.put("UID:away@example.org\nDTSTART;VALUE=DATE:20300103\nDTEND;VALUE=DATE:20300109", calendar="home")
    await read_all(context.store, context.settings, context.clock())

    await client.post("/v1.0/holdSlot", json={"slot": "20300104T0900Z"})

    days = {slot[:8] for slot in await free(context)}
    assert not {"20300103", "20300104", "20300107", "20300108"} & days
    assert "20300109" in days


async def test_entries_that_the_host_deletes_or_moves_are_found_not_cancelled(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale
) -> None:
    await book(client, token)
    await deliver(context)
    untouched = await reported_differences(context)
    [name] = host.files()
    uid = host.events()[0].uid

    host.put(f"UID:{uid}\nDTSTART:20300103T150000Z\nDURATION:PT30M", name=name.removesuffix(".ics"))
    moved = await reported_differences(context)
    host.ask("DELETE", host.calendar() + name)
    deleted = await reported_differences(context)

    assert untouched == []
    assert moved == [("moved", datetime(2030, 1, 3, 15, tzinfo=UTC))]
    assert deleted == [("deleted", None)]
    assert [row.state for row in await rows_in(context.store, Meeting)] == ["booked"]
    assert NINE not in await free(context)


async def test_an_entry_that_the_host_marked_as_cancelled_counts_as_deleted(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale
) -> None:
    await book(client, token)
    await deliver(context)
    [name] = host.files()
    uid = host.events()[0].uid

    host.put(f"UID:{uid}\nDTSTART:20300103T090000Z\nDURATION:PT30M\nSTATUS:CANCELLED", name=name.removesuffix(".ics"))

    assert await reported_differences(context) == [("deleted", None)]


async def test_the_host_is_reminded_by_the_calendar_instead_of_a_mail(
    client: httpx.AsyncClient, context: ApiContext, token: str, clock: Clock
) -> None:
    clock.advance(timedelta(days=-1))
    await book(client, token, slot=NINE)
    await book(client, token, slot=HALF_PAST_TEN)
    first, _ = await rows_in(context.store, Meeting)
    writer = EntryWriter(context.store, context.settings, clock)
    [row] = [
        row
        for row in await rows_in(context.store, Outbox)
        if (row.kind, row.reference) == (OutboxKind.CALENDAR_WRITE, first.reference)
    ]
    await writer.deliver(row)
    clock.advance(timedelta(days=1))

    await context.store.write(lambda session: write_reminders(session, settings=context.settings, now=clock()))

    reminded = [row.reference for row in await rows_in(context.store, Outbox) if row.template == "call-reminder-host"]
    assert len(reminded) == 1
    assert first.reference not in reminded


@pytest.mark.usefixtures("patient")
async def test_200_visitors_want_one_slot_and_one_meeting_stands_in_the_calendar(
    client: httpx.AsyncClient, context: ApiContext, token: str, host: Radicale
) -> None:
    async def attempt() -> int:
        return (await client.post("/v1.0/bookMeeting", json=meeting(slot=NINE, token=token))).status_code

    statuses = await asyncio.gather(*(attempt() for _ in range(200)))
    await deliver(context)

    [row] = await rows_in(context.store, Meeting)
    assert sorted(statuses) == [200, *[409] * 199]
    assert [(event.uid, event.start) for event in host.events()] == [(row.uid, datetime(2030, 1, 3, 9, tzinfo=UTC))]
    assert host.events("home") == []


@asynccontextmanager
async def server_that_says(reply: bytes | None) -> AsyncIterator[str]:
    """Yields the address of a calendar whose server gives every request this reply, or none."""
    is_over = asyncio.Event()
    answering: set[asyncio.Task[None] | None] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answering.add(asyncio.current_task())
        with suppress(OSError):
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
            await reader.readexactly(int(length[1]) if length else 0)
            if reply is None:
                await is_over.wait()
            else:
                writer.write(reply)
                await writer.drain()
            writer.close()
            await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/ada/calls/"
    finally:
        is_over.set()
        server.close()
        await asyncio.gather(*(task for task in answering if task))


def reply(status: str, body: bytes = b"", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


ENTITIES = (
    b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaaaaaaaaaaaaaaaaa">'
    + b"".join(b'<!ENTITY a%d "%s">' % (n, (b"&a%d;" % (n - 1) if n else b"&a;") * 20) for n in range(9))
    + b']><multistatus xmlns="DAV:">&a8;</multistatus>'
)
FAULTS = {
    "slow": None,
    "refused": reply("401 Unauthorized", b"", 'WWW-Authenticate: Basic realm="x"'),
    "forbidden": reply("403 Forbidden"),
    "conflict": reply("409 Conflict"),
    "changed meanwhile": reply("412 Precondition Failed"),
    "broken": reply("500 No"),
    "elsewhere": reply("302 Found", b"", "Location: http://127.0.0.1:1/"),
    "garbage": reply("207 Multi-Status", b"\x00\xff<html>" * 1000),
    "another page": reply("207 Multi-Status", b"<html/>"),
    "entities": reply("207 Multi-Status", ENTITIES),
    "compressed": reply("207 Multi-Status", b"x", "Content-Encoding: gzip"),
    "breaks off": b"HTTP/1.1 207 Multi-Status\r\nContent-Length: 1000\r\n\r\n<multi",
    "no HTTP": b"\x16\x03\x01",
}


@pytest.mark.parametrize("fault", ["down", *FAULTS])
async def test_a_broken_calendar_delays_no_booking_and_is_reported_to_the_owner(
    settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr("site_app.provider.booking.calendar_entries._TOTAL_SECONDS", 3)
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(server_that_says(FAULTS.get(fault)))
        if fault == "down":
            await stack.aclose()
        settings = replace(settings, caldav_url=(url,))
        api = make_api(settings)
        context = await stack.enter_async_context(open_provider(api, settings, clock))
        token = context.tokens.form_token()
        clock.advance(timedelta(minutes=1))
        async with client_of(api, X_API_Key=settings.api_key) as client:
            seconds: list[float] = []
            for slot in (
                NINE,
                HALF_PAST_TEN,
                NOON,
            ):  # the fastest of three counts, because this machine may be busy with other tests
                began = time.monotonic()
                response = await client.post("/v1.0/bookMeeting", json=meeting(slot=slot, token=token))
                seconds.append(time.monotonic() - began)
                assert response.status_code == 200
                if seconds[-1] <= 2.5:
                    break
        with pytest.raises(NotDelivered) as failure:
            await deliver(context)

        assert min(seconds) <= 2.5
        assert len(await warnings(context)) == 1
        assert PASSWORD not in str(failure.value)
        assert {row.template for row in await rows_in(context.store, Outbox)} == {
            "call-booked-visitor",
            "call-booked-host",
            "calendar-entry",
        }


@pytest.mark.slow  # a machine that is busy with other tests takes longer
@pytest.mark.parametrize("fault", ["down", "slow"])
async def test_with_a_dead_calendar_95_of_100_bookings_take_2500_ms_at_most(
    settings: Settings, clock: Clock, fault: str
) -> None:
    """Visitors come four at a time, each for another day, so that no reading serves two of them."""
    days = [f"203001{day:02}T{hour:02}00Z" for hour in (9, 11, 14, 16) for day in (3, 4, 7, 8, 9)]
    seconds: list[float] = []
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(server_that_says(None))
        if fault == "down":
            await stack.aclose()
        settings = replace(settings, caldav_url=(url,))
        api = make_api(settings)
        context = await stack.enter_async_context(open_provider(api, settings, clock))
        token = context.tokens.form_token()
        clock.advance(timedelta(minutes=1))
        client = await stack.enter_async_context(client_of(api, X_API_Key=settings.api_key))

        async def visit(slot: str) -> int:
            began = time.monotonic()
            response = await client.post("/v1.0/bookMeeting", json=meeting(slot=slot, token=token))
            seconds.append(time.monotonic() - began)
            return response.status_code

        statuses: set[int] = set()
        for start in range(0, len(days), 4):
            statuses |= set(await asyncio.gather(*map(visit, days[start : start + 4])))

    assert statuses == {200}
    assert sorted(seconds)[math.ceil(len(seconds) * 0.95) - 1] <= 2.5


@pytest.mark.parametrize(
    "status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"]
)
async def test_a_redirect_to_a_private_address_is_not_followed(
    client: httpx.AsyncClient, context: ApiContext, token: str, status: str
) -> None:
    """Neither when days are read nor when an entry is written: the request would carry the password."""
    requests: list[bytes] = []

    async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requests.append(await reader.read(1))
        writer.close()

    await book(client, token)
    inside = await asyncio.start_server(note, "127.0.0.1", 0)
    address = f"Location: http://127.0.0.1:{inside.sockets[0].getsockname()[1]}/ada/calls/"
    async with inside, server_that_says(reply(status, b"", address)) as url:
        redirected = replace(context.settings, caldav_url=(url,))
        await read_all(context.store, redirected, context.clock())
        with pytest.raises(NotDelivered):
            await deliver(context, redirected)

    assert requests == []
    assert len(await context.store.read(lambda session: calendar_warnings(session, redirected))) == 1


async def test_ten_thousand_entries_are_read(settings: Settings, context: ApiContext) -> None:
    """Not from Radicale, which takes a minute to store them."""
    response = (
        "<D:response><D:href>/ada/calls/{0}.ics</D:href><D:propstat><D:prop><D:getetag>&quot;{0}&quot;</D:getetag><C:calendar-data>"
        "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//host//EN\nBEGIN:VEVENT\nUID:{0}@example.org\nDTSTAMP:20300101T000000Z\n"
        "DTSTART:203001{1:02}T{2:02}{3:02}00Z\nDURATION:PT5M\nSUMMARY:Event {0}\nEND:VEVENT\nEND:VCALENDAR\n"
        "</C:calendar-data></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
    )
    events = "".join(response.format(number, number % 28 + 1, number // 28 % 24, number % 60) for number in range(10_000))
    body = f'<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">{events}</D:multistatus>'
    async with server_that_says(reply("207 Multi-Status", body.encode())) as url:
        settings = replace(settings, caldav_url=(url,))
        await read_all(context.store, settings, context.clock())

    assert await context.store.read(lambda session: calendar_warnings(session, settings)) == []
    assert NINE not in await free(context)
