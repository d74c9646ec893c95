"""The host's own calendar: what an .ics file says takes slots away, and stays known while it cannot be read."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import cast
from zoneinfo import ZoneInfo

from dateutil.rrule import rrule, rruleset, rrulestr
from icalendar import Calendar, Event, vRecur
from sqlmodel import Session, col, delete, select, update

from site_app.store import insert_if_new, take_turns
from site_app.store.tables import BusyTime, CalendarReading, Meeting

BLOCKED, CALENDAR = "blocked", "calendar"
Span = tuple[datetime, datetime]
_MOST_REPETITIONS = 20_000


class UnreadableCalendar(Exception):
    """The file is no calendar, or repeats an event more often than a person could attend it."""


def busy_spans(ics: str, *, zone: ZoneInfo, first: datetime, last: datetime, ours: frozenset[str] = frozenset()) -> list[Span]:
    """When the calendar's owner is busy between two instants; events in `ours` are calls of this site and left out."""
    try:
        events = [one for one in Calendar.from_ical(ics).walk("VEVENT") if isinstance(one, Event)]
        spans = [
            span
            for event in events
            if event.uid not in ours and _counts(event)
            for span in _occurrences(event, _replaced(events, event), zone, first, last)
        ]
    except UnreadableCalendar:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError) as error:
        # A stranger's file reaches far into the parsers; each of these has been their way to say no.
        raise UnreadableCalendar(f"the calendar cannot be read: {type(error).__name__}") from error
    return sorted(span for span in spans if span[0] < last and span[1] > first)


def may_read(session: Session, *, now: datetime, pause: timedelta) -> bool:
    """Whether it is this process's turn to read the calendar: nobody has tried for so long, and nobody else is told so too."""
    waited = (col(CalendarReading.source) == CALENDAR, col(CalendarReading.tried_at) <= now - pause)
    taken = session.connection().execute(update(CalendarReading).where(*waited).values(tried_at=now))
    first = {"source": CALENDAR, "tried_at": now, "problem": ""}
    return taken.rowcount == 1 or insert_if_new(session, CalendarReading, first)


def keep_busy_times(session: Session, spans: Iterable[Span], *, now: datetime) -> None:
    """Put what was read in the place of what was known."""
    take_turns(session, CALENDAR)
    session.connection().execute(delete(BusyTime).where(col(BusyTime.source) == CALENDAR))
    session.add_all(BusyTime(source=CALENDAR, starts_at=start, ends_at=end) for start, end in spans)
    session.merge(CalendarReading(source=CALENDAR, tried_at=now, read_at=now))


def note_failure(session: Session, problem: str, *, now: datetime) -> None:
    """Say that the calendar could not be read; what was known of it goes on counting."""
    take_turns(session, CALENDAR)
    before = session.get(CalendarReading, CALENDAR)
    session.merge(CalendarReading(source=CALENDAR, tried_at=now, read_at=before.read_at if before else None, problem=problem))


def busy_note(session: Session) -> str:
    """What `doctor` should say of the host's calendar; empty when there is nothing to say."""
    reading = session.get(CalendarReading, CALENDAR)
    if reading is None or not reading.problem:
        return ""
    since = f"{reading.read_at:%Y-%m-%d %H:%M} UTC" if reading.read_at else "never"
    return f"The host's calendar could not be read ({reading.problem}); busy times are as of: {since}"


def our_events(session: Session) -> frozenset[str]:
    """The ids under which calls of this site stand in the host's calendar."""
    return frozenset(session.exec(select(Meeting.uid)))


def block(session: Session, start: datetime, end: datetime, *, note: str = "") -> BusyTime:
    """Keep a time free of calls; calls already booked in it stay."""
    row = BusyTime(source=BLOCKED, starts_at=start, ends_at=end, note=note)
    session.add(row)
    session.flush()
    return row


def blocks(session: Session, *, now: datetime) -> list[BusyTime]:
    """The blocked times that are not over."""
    found = select(BusyTime).where(BusyTime.source == BLOCKED, BusyTime.ends_at > now)
    return list(session.exec(found.order_by(col(BusyTime.starts_at))))


def unblock(session: Session, number: int) -> bool:
    """Open a blocked time again; False if there is none of that number."""
    row = session.get(BusyTime, number)
    if row is None or row.source != BLOCKED:
        return False
    session.delete(row)
    return True


def _counts(event: Event) -> bool:
    return str(event.get("status", "")).upper() != "CANCELLED" and str(event.get("transp", "")).upper() != "TRANSPARENT"


def _replaced(events: list[Event], event: Event) -> set[datetime]:
    """The occurrences of a repeated event that another event of the same id moves or cancels."""
    if not event.rrules:
        return set()
    return {
        _wall(other.RECURRENCE_ID, event.start)
        for other in events
        if other.uid == event.uid and other.RECURRENCE_ID is not None
    }


def _occurrences(event: Event, replaced: set[datetime], zone: ZoneInfo, first: datetime, last: datetime) -> Iterator[Span]:
    begin, length = event.start, _length(event)
    for wall in _walls(event, last + timedelta(days=1)) if length else ():
        start = wall.replace(tzinfo=(begin.tzinfo if isinstance(begin, datetime) else None) or zone).astimezone(UTC)
        # An all-day event ends by the calendar, whatever clocks do that day; any other lasts as long as it lasts.
        end = start + length if isinstance(begin, datetime) else (wall + length).replace(tzinfo=zone).astimezone(UTC)
        if wall not in replaced and end > first:
            yield start, end


def _walls(event: Event, last: datetime) -> Iterator[datetime]:
    """When it takes place, by the clock of its own zone: that is what repetitions keep to."""
    begin = event.start
    wall = _wall(begin, begin)
    rules = rruleset()
    rules.rdate(wall)
    for rule in event.rrules:
        rules.rrule(cast(rrule, rrulestr(_rule(rule, begin), dtstart=wall)))
    for more, _ in event.rdates:
        rules.rdate(_wall(more, begin))
    for less in event.exdates:
        rules.exdate(_wall(less, begin))
    for count, moment in enumerate(islice(rules, _MOST_REPETITIONS + 1)):
        if moment > last.replace(tzinfo=None):
            return
        if count == _MOST_REPETITIONS:
            raise UnreadableCalendar("an event repeats too often")
        yield moment


def _rule(rule: vRecur, begin: date) -> str:
    """The rule with its UNTIL by the clock of the event's zone, as its start is."""
    parts = vRecur(rule)
    if "UNTIL" in parts:
        parts["UNTIL"] = [_wall(one, begin) for one in parts["UNTIL"]]
    return parts.to_ical().decode()


def _wall(moment: date, like: date) -> datetime:
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time())
    zone = like.tzinfo if isinstance(like, datetime) else None
    return (moment.astimezone(zone) if zone and moment.tzinfo else moment).replace(tzinfo=None)


def _length(event: Event) -> timedelta:
    begin, end = event.start, event.end
    if isinstance(begin, datetime) and isinstance(end, datetime) and begin.tzinfo and end.tzinfo:
        return end.astimezone(UTC) - begin.astimezone(UTC)
    return event.duration
