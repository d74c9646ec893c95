"""Busy times, in which no slot is free: the host's calendar as it was last read, and times that the team has blocked.

busy_reader.py reads the calendar in a separate process with limits, because expanding a recurrence rule without any occurrence takes
half a minute, and a file of such rules takes days.
"""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, delete, or_, select, update

from site_app.provider.store import advisory_lock, insert_if_new
from site_app.provider.store.tables import BusyTime, CalendarReading, Meeting

_ROOT = Path(__file__).parents[3]


async def run_module(*module_and_arguments: str, seconds: float, question: bytes = b"") -> bytes:
    """Runs a module in a child process and returns its output, or b"" if it times out or is killed, since its output may be incomplete.

    The child is killed if the caller is cancelled.
    """
    command = (sys.executable, "-m", *module_and_arguments)
    process = await asyncio.create_subprocess_exec(*command, cwd=_ROOT, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
    try:
        async with asyncio.timeout(seconds):
            answer, _ = await process.communicate(question)
        return answer if process.returncode is not None and process.returncode >= 0 else b""
    except TimeoutError:
        return b""
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


BLOCKED, CALENDAR = "blocked", "calendar"
Span = tuple[datetime, datetime]

_LEFT_OUT = "of its events cannot be read and are left out"
_READER = "site_app.provider.booking.busy_reader"
_LONGEST_SECONDS = 20  # 4 MB of ordinary events take 3.4 s


class BusyTimes(NamedTuple):
    """The busy times read from a calendar; `skipped` is the number of unreadable events."""

    spans: list[Span]
    skipped: int = 0


class UnreadableCalendar(Exception):
    """The file is no valid calendar, or has too many events, or takes too long to read."""


async def read_busy_spans(
    ics: str,
    *,
    zone: ZoneInfo,
    first: datetime,
    last: datetime,
    own_ids: frozenset[str] = frozenset(),
    seconds: int = _LONGEST_SECONDS,
) -> BusyTimes:
    """Returns the times between `first` and `last` in which the calendar's owner is busy.

    Events in `own_ids` are meetings of this site and are left out. Unreadable events are skipped and counted. Raises UnreadableCalendar
    if the calendar cannot be read, or not within `seconds`.
    """
    payload = {"ics": ics, "zone": zone.key, "first": first.isoformat(), "last": last.isoformat()}
    payload |= {"ours": [*own_ids], "seconds": seconds}
    answer = await run_module(_READER, seconds=seconds, question=json.dumps(payload).encode())
    if not answer:
        raise UnreadableCalendar("it takes too long to read, or too much memory")
    try:
        match json.loads(answer):
            case {"spans": spans, "skipped": skipped}:
                return BusyTimes(
                    [(datetime.fromisoformat(start), datetime.fromisoformat(end)) for start, end in spans], skipped
                )
            case {"problem": problem}:
                raise UnreadableCalendar(problem)
    except (ValueError, TypeError):  # the child broke off while writing
        pass
    raise UnreadableCalendar("its reader broke off")


def claim_reading(session: Session, *, now: datetime, pause: timedelta) -> bool:
    """Returns True if this process should read the calendar: no process has tried during `pause`. Only one process gets True."""
    tried_at = col(CalendarReading.tried_at)
    # a time in the future means that the clock was ahead at the last attempt
    waited = (col(CalendarReading.source) == CALENDAR, or_(tried_at <= now - pause, tried_at > now + pause))
    claimed = session.connection().execute(update(CalendarReading).where(*waited).values(tried_at=now))
    first = {"source": CALENDAR, "tried_at": now, "problem": ""}
    return claimed.rowcount == 1 or insert_if_new(session, CalendarReading, first)


def store_busy_times(session: Session, spans: Iterable[Span], *, now: datetime, skipped: int = 0) -> None:
    """Replaces the stored busy times of the calendar by these. `calendar_warning` reports skipped events."""
    problem = f"{skipped} {_LEFT_OUT}" if skipped else ""
    advisory_lock(session, CALENDAR)
    session.connection().execute(delete(BusyTime).where(col(BusyTime.source) == CALENDAR))
    session.add_all(BusyTime(source=CALENDAR, starts_at=start, ends_at=end) for start, end in spans)
    session.merge(CalendarReading(source=CALENDAR, tried_at=now, read_at=now, problem=problem))


def note_failure(session: Session, problem: str, *, now: datetime) -> None:
    """Records that the calendar could not be read. The busy times of the last reading remain valid."""
    advisory_lock(session, CALENDAR)
    reading = session.get(CalendarReading, CALENDAR)
    session.merge(CalendarReading(source=CALENDAR, tried_at=now, read_at=reading.read_at if reading else None, problem=problem))


def calendar_warning(session: Session) -> str:
    """Returns a warning about the host's calendar for `doctor`, or ""."""
    reading = session.get(CalendarReading, CALENDAR)
    if reading is None or not reading.problem:
        return ""
    if reading.problem.endswith(_LEFT_OUT):
        return f"The host's calendar was read, but {reading.problem}"
    since = f"{reading.read_at:%Y-%m-%d %H:%M} UTC" if reading.read_at else "never"
    return f"The host's calendar could not be read ({reading.problem}); busy times are as of: {since}"


def last_read(session: Session) -> datetime | None:
    """Returns the time of the last successful reading of the host's calendar, or None before the first."""
    reading = session.get(CalendarReading, CALENDAR)
    return reading.read_at if reading else None


def own_event_ids(session: Session) -> frozenset[str]:
    """Returns the event ids that this site's meetings have in the host's calendar."""
    return frozenset(session.exec(select(Meeting.uid)))


def blocked_times(session: Session, *, now: datetime) -> list[BusyTime]:
    """Returns the blocked times that are not over yet."""
    statement = select(BusyTime).where(BusyTime.source == BLOCKED, BusyTime.ends_at > now)
    return list(session.exec(statement.order_by(col(BusyTime.starts_at))))
