"""Times without free slots: the host's calendar as it was last read, and times that the team has blocked.

busy_reader.py reads the calendar in a bounded process of its own: a repetition that never occurs takes half a minute to
compute, a file
of them days.
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
    """What the module prints; nothing where it breaks off or takes too long. Its process ends with the one who asks."""
    command = (sys.executable, "-m", *module_and_arguments)
    process = await asyncio.create_subprocess_exec(*command, cwd=_ROOT, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
    try:
        async with asyncio.timeout(seconds):
            answer, _ = await process.communicate(question)
        return answer
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
    """What was read of a calendar; `skipped` counts the events that cannot be read."""

    spans: list[Span]
    skipped: int = 0


class UnreadableCalendar(Exception):
    """The file is no calendar, or repeats an event more often than a person could attend it."""


async def read_busy_spans(
    ics: str,
    *,
    zone: ZoneInfo,
    first: datetime,
    last: datetime,
    own_ids: frozenset[str] = frozenset(),
    seconds: int = _LONGEST_SECONDS,
) -> BusyTimes:
    """When the calendar's owner is busy between two instants; events in `own_ids` are calls of this site and left out.

    An event that cannot be read is skipped and counted. After so many seconds it raises UnreadableCalendar.
    """
    payload = {"ics": ics, "zone": zone.key, "first": first.isoformat(), "last": last.isoformat()}
    payload |= {"ours": [*own_ids], "seconds": seconds}
    answer = await run_module(_READER, seconds=seconds, question=json.dumps(payload).encode())
    if not answer:
        raise UnreadableCalendar("it takes too long to read, or too much memory")
    match json.loads(answer):
        case {"spans": spans, "skipped": skipped}:
            return BusyTimes([(datetime.fromisoformat(start), datetime.fromisoformat(end)) for start, end in spans], skipped)
        case {"problem": problem}:
            raise UnreadableCalendar(problem)
        case _:
            raise UnreadableCalendar("its reader gave no answer")


def claim_reading(session: Session, *, now: datetime, pause: timedelta) -> bool:
    """Whether this process is to read the calendar: nobody has tried during `pause`, and no other process is told yes as well."""
    tried_at = col(CalendarReading.tried_at)
    # later than now if the clock was ahead when it was tried
    waited = (col(CalendarReading.source) == CALENDAR, or_(tried_at <= now - pause, tried_at > now + pause))
    claimed = session.connection().execute(update(CalendarReading).where(*waited).values(tried_at=now))
    first = {"source": CALENDAR, "tried_at": now, "problem": ""}
    return claimed.rowcount == 1 or insert_if_new(session, CalendarReading, first)


def store_busy_times(session: Session, spans: Iterable[Span], *, now: datetime, skipped: int = 0) -> None:
    """Replace what was known of the calendar by what was read; of events that were skipped `calendar_warning` tells."""
    problem = f"{skipped} {_LEFT_OUT}" if skipped else ""
    advisory_lock(session, CALENDAR)
    session.connection().execute(delete(BusyTime).where(col(BusyTime.source) == CALENDAR))
    session.add_all(BusyTime(source=CALENDAR, starts_at=start, ends_at=end) for start, end in spans)
    session.merge(CalendarReading(source=CALENDAR, tried_at=now, read_at=now, problem=problem))


def note_failure(session: Session, problem: str, *, now: datetime) -> None:
    """Note that the calendar could not be read; what was known of it stays in force."""
    advisory_lock(session, CALENDAR)
    reading = session.get(CalendarReading, CALENDAR)
    session.merge(CalendarReading(source=CALENDAR, tried_at=now, read_at=reading.read_at if reading else None, problem=problem))


def calendar_warning(session: Session) -> str:
    """What `doctor` should say of the host's calendar; empty when there is nothing to say."""
    reading = session.get(CalendarReading, CALENDAR)
    if reading is None or not reading.problem:
        return ""
    if reading.problem.endswith(_LEFT_OUT):
        return f"The host's calendar was read, but {reading.problem}"
    since = f"{reading.read_at:%Y-%m-%d %H:%M} UTC" if reading.read_at else "never"
    return f"The host's calendar could not be read ({reading.problem}); busy times are as of: {since}"


def last_read(session: Session) -> datetime | None:
    """When the host's calendar could be read last; None before the first time."""
    reading = session.get(CalendarReading, CALENDAR)
    return reading.read_at if reading else None


def own_event_ids(session: Session) -> frozenset[str]:
    """The ids under which calls of this site stand in the host's calendar."""
    return frozenset(session.exec(select(Meeting.uid)))


def blocked_times(session: Session, *, now: datetime) -> list[BusyTime]:
    """The blocked times that are not over."""
    statement = select(BusyTime).where(BusyTime.source == BLOCKED, BusyTime.ends_at > now)
    return list(session.exec(statement.order_by(col(BusyTime.starts_at))))
