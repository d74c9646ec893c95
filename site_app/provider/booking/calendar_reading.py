"""Reads the host's calendars: all of them regularly, and those of CalDAV again for a single day before a slot of it is taken.

A calendar that cannot be read keeps the busy times of its last reading, and `doctor` and the office say so.
"""

import asyncio
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import httpx
import structlog
from sqlmodel import Session

from site_app.contracts.meeting import slot_language
from site_app.core.http.bodies import reply_body
from site_app.core.http.context import Clock
from site_app.core.settings import Settings
from site_app.provider.booking.busy import (
    CalendarSource,
    CalendarText,
    OwnEvent,
    ParsedCalendar,
    UnreadableCalendar,
    claim_reading,
    forget_other_calendars,
    has_calendars,
    host_addresses,
    last_read,
    note_failure,
    own_event_ids,
    parse_calendars,
    sources_of,
    store_busy_day,
    store_busy_times,
)
from site_app.provider.booking.caldav import CalDavCalendar, CalendarRefused
from site_app.provider.booking.calendar_entries import note_differences
from site_app.provider.booking.slots import slot_start
from site_app.provider.outbox.public_addresses import PublicTransport
from site_app.provider.store import Store, StoreUnavailable

_STARTED_TOGETHER = timedelta(seconds=30)
_FETCH_SECONDS = 10.0
_MAX_FILE_BYTES = 5 * 1024 * 1024
_DAY = timedelta(days=1)
# Just before a booking, reading takes two seconds at most; starting the child process takes 0.3 of them.
_DAY_SECONDS = 2.0
_DAY_FETCH_SECONDS = 1.3
_DAYS_AT_ONCE = 4
# The errors of one calendar. The others are read all the same.
_FAILURES = (httpx.HTTPError, httpx.InvalidURL, CalendarRefused, OSError, TimeoutError)

log = structlog.get_logger()


async def read_calendars_forever(
    store: Store, settings: Settings, clock: Clock, *, transport: httpx.AsyncBaseTransport | None = None
) -> None:
    """Reads the host's calendars regularly, if the settings name any. Of several processes, only one reads them each time."""
    if not sources_of(settings) and await store.read(has_calendars):
        await store.write(lambda session: forget_other_calendars(session, ()))
    pause = _STARTED_TOGETHER  # short, so that the calendars are read right after a start
    while sources_of(settings):
        now = clock()
        if await store.write(lambda session, now=now, pause=pause: claim_reading(session, now=now, pause=pause)):
            await read_all(store, settings, now, transport=transport)
        pause = settings.booking_busy_every
        await asyncio.sleep(pause.total_seconds())


async def read_all(
    store: Store, settings: Settings, now: datetime, *, transport: httpx.AsyncBaseTransport | None = None
) -> None:
    """Reads each calendar once, and notes which of our meetings the host has deleted or moved there."""
    own_ids = await store.read(own_event_ids)
    last = now + settings.booking_horizon + 2 * _DAY
    own_events: list[OwnEvent] = []
    read: set[str] = set()
    for source in sources_of(settings):
        # A child process for each calendar, so that one which takes too long does not fail the others.
        text = await _fetch(source, settings, now - _DAY, last, transport, seconds=_FETCH_SECONDS)
        [reading] = await _read_texts([text], settings, now - _DAY, last, own_ids)
        await _store_reading(store, source, reading, now)
        if isinstance(reading, ParsedCalendar):
            own_events += reading.own_events
            read.add(source.url)
    if read.issuperset(settings.caldav_url[:1]) and settings.caldav_url:
        await store.write(lambda session: note_differences(session, own_events, now=now, last=last))
    keys = [source.key for source in sources_of(settings)]

    def forget(session: Session) -> None:
        # Rows of releases that knew only one calendar are deleted once every calendar has been read.
        forget_other_calendars(session, keys if last_read(session, settings) else ["", *keys])

    await store.write(forget)


class DayReader:
    """Reads the CalDAV calendars for one day, within two seconds. Requests for the same day share a reading that is under way."""

    def __init__(
        self, store: Store, settings: Settings, clock: Clock, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._transport = transport
        self._sources = [source for source in sources_of(settings) if source.is_caldav]
        self._running: dict[date, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(_DAYS_AT_ONCE)

    async def __call__(self, slot_id: str) -> None:
        """Stores what the calendars say about the day of this slot. Never raises: what was read last applies if they do not answer."""
        start = slot_start(slot_id)
        now = self._clock()
        if self._settings.call_languages.get(slot_language(slot_id)):
            return  # the calendars are the founder's
        if start is None or not self._sources or not now - _DAY < start < now + self._settings.booking_horizon + _DAY:
            return
        day = self._settings.local_day(start)
        if day not in self._running:
            task = self._running[day] = asyncio.create_task(self._read_day(day))
            task.add_done_callback(lambda _: self._running.pop(day, None))
        await asyncio.shield(self._running[day])  # a visitor who leaves must not cancel the reading for the others

    async def _read_day(self, day: date) -> None:
        settings = self._settings
        now = self._clock()
        zone = ZoneInfo(settings.booking_zone)
        first = datetime.combine(day, time(), zone) - settings.booking_buffer
        last = datetime.combine(day + _DAY, time(), zone) + settings.booking_buffer
        try:
            async with asyncio.timeout(_DAY_SECONDS), self._places:
                texts = await asyncio.gather(
                    *(
                        _fetch(source, settings, first, last, self._transport, seconds=_DAY_FETCH_SECONDS)
                        for source in self._sources
                    )
                )
                readings = await _read_texts(texts, settings, first, last, await self._store.read(own_event_ids))
        except Exception as error:  # whatever a server or a parser comes up with must not stop a booking
            readings = [UnreadableCalendar(f"{type(error).__name__} before a booking")] * len(self._sources)
        try:
            for source, reading in zip(self._sources, readings, strict=True):
                await self._store_day(source, reading, first, last, now)
        except StoreUnavailable:  # the booking itself says so to its visitor
            log.warning("calendar.day_not_stored")

    async def _store_day(
        self,
        source: CalendarSource,
        reading: ParsedCalendar | UnreadableCalendar,
        first: datetime,
        last: datetime,
        now: datetime,
    ) -> None:
        if isinstance(reading, ParsedCalendar):
            spans = reading.spans
            key = source.key
            await self._store.write(lambda session: store_busy_day(session, key, spans, first=first, last=last))
        else:
            await _store_reading(self._store, source, reading, now)


async def _store_reading(
    store: Store, source: CalendarSource, reading: ParsedCalendar | UnreadableCalendar, now: datetime
) -> None:
    if isinstance(reading, UnreadableCalendar):
        problem = str(reading)
        log.warning("calendar.not_read", number=source.number, error=problem)
        await store.write(lambda session: note_failure(session, source.key, problem, now=now))
        return
    if reading.skipped:
        log.warning("calendar.events_skipped", number=source.number, count=reading.skipped)
    await store.write(lambda session: store_busy_times(session, source.key, reading.spans, now=now, skipped=reading.skipped))


async def _read_texts(
    texts: Sequence[CalendarText | UnreadableCalendar],
    settings: Settings,
    first: datetime,
    last: datetime,
    own_ids: frozenset[str],
) -> list[ParsedCalendar | UnreadableCalendar]:
    """Returns a reading for each text, in their order; for a text that could not be fetched, its problem."""
    fetched = [text for text in texts if isinstance(text, CalendarText)]
    zone = ZoneInfo(settings.booking_zone)
    host = host_addresses(settings)
    readings = iter(await parse_calendars(fetched, zone=zone, first=first, last=last, own_ids=own_ids, host=host))
    return [next(readings) if isinstance(text, CalendarText) else text for text in texts]


async def _fetch(
    source: CalendarSource,
    settings: Settings,
    first: datetime,
    last: datetime,
    transport: httpx.AsyncBaseTransport | None,
    *,
    seconds: float,
) -> CalendarText | UnreadableCalendar:
    """Returns the text of a calendar, or why it could not be fetched within so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            if source.is_caldav:
                calendar = CalDavCalendar(source.url, settings, transport=transport)
                return CalendarText(await calendar.events(first, last), is_multistatus=True)
            return CalendarText(await _download(source.url, transport))
    except _FAILURES as error:
        return UnreadableCalendar(str(error) if isinstance(error, CalendarRefused) else type(error).__name__)


async def _download(url: str, transport: httpx.AsyncBaseTransport | None) -> str:
    # Do not follow redirects: the calendar's host could lead us to an address inside our own network.
    async with (
        httpx.AsyncClient(transport=transport or PublicTransport(), timeout=_FETCH_SECONDS, follow_redirects=False) as client,
        client.stream("GET", url, headers={"Accept": "text/calendar", "Accept-Encoding": "identity"}) as response,
    ):
        if response.status_code != 200:
            raise CalendarRefused(f"it answered {response.status_code}")
        return (await reply_body(response, largest=_MAX_FILE_BYTES, refusal=CalendarRefused)).decode("utf-8-sig", "replace")
