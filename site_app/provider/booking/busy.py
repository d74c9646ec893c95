"""Busy times, in which no slot is free: the host's calendars as they were last read, and times that the team has blocked.

The settings name the calendars: .ics files that are read, and CalDAV calendars, into the first of which meetings are written. busy_process.py
reads them in a separate process with limits, because expanding a recurrence rule without any occurrence takes half a minute, and a file of
such rules takes days.
"""

import hashlib
import json
import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, delete, or_, select, update

from site_app.core.child_process import run_module
from site_app.core.settings import Settings
from site_app.provider.store import advisory_lock, insert_if_new
from site_app.provider.store.tables import CALENDAR_SOURCE, BusyTime, CalendarReading, Meeting

BLOCKED = "blocked"  # this and CALENDAR_SOURCE are the sources of busy times
BusySpan = tuple[datetime, datetime]

_LEFT_OUT = "of its events cannot be read and are left out"
_READER = "site_app.provider.booking.busy_process"
_READER_SECONDS = 40  # 10,000 entries take 5 s on an idle machine


@dataclass(frozen=True)
class CalendarSource:
    """A calendar of the host. `number` counts from 1 in the order of the settings."""

    url: str
    number: int
    is_caldav: bool = False

    @property
    def key(self) -> str:
        """Names the calendar in the database. A hash, because an address may be a secret."""
        return hashlib.sha256(self.url.encode()).hexdigest()[:16]

    @property
    def label(self) -> str:
        """Names the calendar for the owner, without the parts of its address that may be secret."""
        return f"calendar {self.number} ({urlsplit(self.url).hostname})"


@lru_cache(maxsize=64)
def sources_of(settings: Settings) -> tuple[CalendarSource, ...]:
    """Returns all calendars to read, those of CalDAV first."""
    urls = [*((url, True) for url in settings.caldav_url), *((url, False) for url in settings.booking_busy_url)]
    return tuple(CalendarSource(url, number, is_caldav) for number, (url, is_caldav) in enumerate(urls, 1))


def host_addresses(settings: Settings) -> list[str]:
    """Returns the mail addresses by which invitations name the host, in small letters."""
    addresses = (settings.brand_email, settings.mail_team, settings.caldav_user)
    return [*dict.fromkeys(address.lower() for address in addresses if "@" in address)]


class OwnEvent(NamedTuple):
    """A meeting of this site as a calendar of the host has it."""

    uid: str
    start: datetime
    end: datetime
    href: str
    etag: str


class ParsedCalendar(NamedTuple):
    """The times in which a calendar's owner is busy, and our own events in it; `skipped` is the number of unreadable events."""

    spans: list[BusySpan]
    skipped: int = 0
    own_events: tuple[OwnEvent, ...] = ()


class UnreadableCalendar(Exception):
    """The text is no valid calendar, or has too many events, or takes too long to read."""


@dataclass(frozen=True)
class CalendarText:
    """An .ics file, or the multistatus of a CalDAV server."""

    text: str
    is_multistatus: bool = False


async def parse_calendars(
    texts: Sequence[CalendarText],
    *,
    zone: ZoneInfo,
    first: datetime,
    last: datetime,
    own_ids: frozenset[str] = frozenset(),
    host: Sequence[str] = (),
    seconds: float = _READER_SECONDS,
) -> list[ParsedCalendar | UnreadableCalendar]:
    """Returns for each calendar the times between `first` and `last` in which its owner is busy, or why it cannot be read.

    Events in `own_ids` are meetings of this site: they count as free and are returned apart. Events that a mail address in `host` has
    declined count as free. Unreadable events are skipped and counted. One child process parses all, within `seconds`.
    """
    if not texts:
        return []
    payload = {"zone": zone.key, "first": first.isoformat(), "last": last.isoformat(), "own_ids": [*own_ids], "host": [*host]}
    payload |= {"calendars": [{"ics": text.text, "multistatus": text.is_multistatus} for text in texts]}
    payload |= {"seconds": math.ceil(seconds)}
    output = await run_module(_READER, seconds=seconds, stdin=json.dumps(payload).encode())
    if not output:
        return [UnreadableCalendar("it takes too long to read, or too much memory")] * len(texts)
    try:
        calendars = [_parsed_calendar(fields) for fields in json.loads(output)]
    except (ValueError, TypeError, KeyError, AttributeError):  # the child broke off while writing
        calendars = []
    return calendars if len(calendars) == len(texts) else [UnreadableCalendar("its reader broke off")] * len(texts)


def _parsed_calendar(fields: dict[str, Any]) -> ParsedCalendar | UnreadableCalendar:
    if problem := fields.get("problem"):
        return UnreadableCalendar(problem)
    parse = datetime.fromisoformat
    spans = [(parse(start), parse(end)) for start, end in fields["spans"]]
    own_events = tuple(
        OwnEvent(uid, parse(start), parse(end), href, etag) for uid, start, end, href, etag in fields["own_events"]
    )
    return ParsedCalendar(spans, fields["skipped"], own_events)


def claim_reading(session: Session, *, now: datetime, pause: timedelta) -> bool:
    """Returns True if this process should read the calendars: no process has tried during `pause`. Only one process gets True."""
    tried_at = col(CalendarReading.tried_at)
    # a time in the future means that the clock was ahead at the last attempt
    is_due = (col(CalendarReading.source) == CALENDAR_SOURCE, or_(tried_at <= now - pause, tried_at > now + pause))
    claimed = session.connection().execute(update(CalendarReading).where(*is_due).values(tried_at=now))
    first = {"source": CALENDAR_SOURCE, "tried_at": now, "problem": ""}
    return claimed.rowcount == 1 or insert_if_new(session, CalendarReading, first)


def store_busy_times(session: Session, calendar: str, spans: Iterable[BusySpan], *, now: datetime, skipped: int = 0) -> None:
    """Replaces the stored busy times of the calendar with this key by these. `calendar_warnings` reports skipped events."""
    problem = f"{skipped} {_LEFT_OUT}" if skipped else ""
    advisory_lock(session, CALENDAR_SOURCE)
    session.connection().execute(delete(BusyTime).where(*_is_of_calendar(calendar)))
    session.add_all(BusyTime(source=CALENDAR_SOURCE, calendar=calendar, starts_at=start, ends_at=end) for start, end in spans)
    session.merge(CalendarReading(source=calendar, tried_at=now, read_at=now, problem=problem))


def store_busy_day(session: Session, calendar: str, spans: Iterable[BusySpan], *, first: datetime, last: datetime) -> None:
    """Replaces the stored busy times of the calendar between `first` and `last` by these. Other times stay."""
    advisory_lock(session, CALENDAR_SOURCE)
    fresh = {(max(start, first), min(end, last)) for start, end in spans if start < last and end > first}
    overlapping = col(BusyTime.starts_at) < last, col(BusyTime.ends_at) > first
    stored = list(session.exec(select(BusyTime).where(*_is_of_calendar(calendar), *overlapping)))
    if {(max(row.starts_at, first), min(row.ends_at, last)) for row in stored} == fresh:
        return
    outside = [(row.starts_at, first) for row in stored if row.starts_at < first]
    outside += [(last, row.ends_at) for row in stored if row.ends_at > last]
    for row in stored:
        session.delete(row)
    session.add_all(
        BusyTime(source=CALENDAR_SOURCE, calendar=calendar, starts_at=start, ends_at=end) for start, end in (*outside, *fresh)
    )


def forget_other_calendars(session: Session, calendars: Collection[str]) -> None:
    """Deletes the busy times of calendars that the settings no longer name, and those of a release that knew only one calendar."""
    advisory_lock(session, CALENDAR_SOURCE)
    execute = session.connection().execute
    execute(delete(BusyTime).where(col(BusyTime.source) == CALENDAR_SOURCE, col(BusyTime.calendar).not_in(calendars)))
    execute(delete(CalendarReading).where(col(CalendarReading.source).not_in((CALENDAR_SOURCE, *calendars))))


def has_calendars(session: Session) -> bool:
    """Returns True if busy times of any calendar are stored."""
    return session.exec(select(BusyTime.id).where(BusyTime.source == CALENDAR_SOURCE).limit(1)).first() is not None


def note_failure(session: Session, calendar: str, problem: str, *, now: datetime) -> None:
    """Records that the calendar could not be read. The busy times of the last reading remain valid."""
    advisory_lock(session, CALENDAR_SOURCE)
    reading = session.get(CalendarReading, calendar)
    session.merge(CalendarReading(source=calendar, tried_at=now, read_at=reading.read_at if reading else None, problem=problem))


def calendar_warnings(session: Session, settings: Settings) -> list[str]:
    """Returns a warning for each of the host's calendars that was not read, or not wholly."""
    warnings: list[str] = []
    for source in sources_of(settings):
        reading = session.get(CalendarReading, source.key)
        if reading is None or not reading.problem:
            continue
        if reading.problem.endswith(_LEFT_OUT):
            warnings.append(f"The host’s {source.label} was read, but {reading.problem}")
        else:
            since = (
                f"busy times are as of {reading.read_at:%Y-%m-%d %H:%M} UTC"
                if reading.read_at
                else "no busy times are known yet"
            )
            warnings.append(f"The host’s {source.label} could not be read ({reading.problem}); {since}")
    return warnings


def last_read(session: Session, settings: Settings) -> datetime | None:
    """Returns the time since which every calendar of the host has been read, or None if one has never been."""
    readings = [session.get(CalendarReading, source.key) for source in sources_of(settings)]
    times = [reading.read_at for reading in readings if reading and reading.read_at]
    return min(times) if times and len(times) == len(readings) else None


def own_event_ids(session: Session) -> frozenset[str]:
    """Returns the event ids that this site's meetings have in the host's calendar."""
    return frozenset(session.exec(select(Meeting.uid)))


def _is_of_calendar(calendar: str) -> tuple[ColumnElement[bool], ...]:
    return col(BusyTime.source) == CALENDAR_SOURCE, col(BusyTime.calendar) == calendar


def blocked_times(session: Session, *, now: datetime) -> list[BusyTime]:
    """Returns the blocked times that are not over yet."""
    statement = select(BusyTime).where(BusyTime.source == BLOCKED, BusyTime.ends_at > now)
    return list(session.exec(statement.order_by(col(BusyTime.starts_at))))
