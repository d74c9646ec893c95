"""What an .ics file says its owner is busy with. A stranger's file: read it by calendar_reader.py, in a process that can be ended."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import cast
from zoneinfo import ZoneInfo

from dateutil.rrule import rrule, rruleset, rrulestr
from icalendar import Calendar, Event, vRecur

Span = tuple[datetime, datetime]
_MOST_REPETITIONS = 20_000
_MOST_SPANS = 20_000


class UnreadableCalendar(Exception):
    """The file is no calendar, or repeats an event more often than a person could attend it."""


def busy_spans(ics: str, *, zone: ZoneInfo, first: datetime, last: datetime, ours: frozenset[str] = frozenset()) -> list[Span]:
    """When the calendar's owner is busy between two instants; events in `ours` are calls of this site and left out."""
    try:
        events = [one for one in Calendar.from_ical(ics).walk("VEVENT") if isinstance(one, Event)]
        spans = [*islice(_spans(events, ours, zone, first, last), _MOST_SPANS + 1)]
    except UnreadableCalendar:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError) as error:
        # A stranger's file reaches far into the parsers; each of these has been their way to say no.
        raise UnreadableCalendar(f"the calendar cannot be read: {type(error).__name__}") from error
    if len(spans) > _MOST_SPANS:
        raise UnreadableCalendar("it has too many events")
    return sorted(spans)


def _spans(events: list[Event], ours: frozenset[str], zone: ZoneInfo, first: datetime, last: datetime) -> Iterator[Span]:
    for event in events:
        if event.uid not in ours and _counts(event):
            for start, end in _occurrences(event, _replaced(events, event), zone, first, last):
                if start < last:
                    yield start, end


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
