"""`python -m site_app.provider.booking.busy_reader`: reads an .ics file as JSON from stdin, writes its busy times as JSON to stdout.

The file is untrusted, so the process limits its own time and memory.
"""

import json
import resource
import signal
import sys
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import recurring_ical_events
from icalendar import Calendar, Component, Event

Span = tuple[datetime, datetime]
_MOST_SPANS = 20_000
# The parsers raised each of these for some broken file or event, such as an event from the year 1 to 9999.
_BROKEN = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)
_MEMORY = 2**30  # 4 MB of ordinary events take 150 MB


def busy_spans(
    ics: str, *, zone: ZoneInfo, first: datetime, last: datetime, own_ids: frozenset[str] = frozenset()
) -> tuple[list[Span], int]:
    """Returns the times in which the calendar's owner is busy, and the number of unreadable events left out.

    `zone` applies to times without a time zone. Raises the parser's error if all events are unreadable.
    """
    spans: list[Span] = []
    skipped, is_readable, problem = 0, False, None
    for series in _series(Calendar.from_ical(ics)):
        try:
            spans += _spans_of(series, zone, first, last, own_ids)
            is_readable = True
        except _BROKEN as error:
            skipped, problem = skipped + len(series), error
    if problem and not is_readable:
        raise problem
    return sorted((start, end) for start, end in spans if end > start and end > first and start < last), skipped


def answer_to(payload: dict[str, Any]) -> dict[str, Any]:
    """Returns the busy spans for the request, or the problem of its calendar."""
    first, last = (datetime.fromisoformat(payload[name]) for name in ("first", "last"))
    try:
        spans, skipped = busy_spans(
            payload["ics"], zone=ZoneInfo(payload["zone"]), first=first, last=last, own_ids=frozenset(payload["ours"])
        )
    except _BROKEN as error:
        return {"problem": f"the calendar cannot be read: {type(error).__name__}"}
    if len(spans) > _MOST_SPANS:
        return {"problem": "it has too many events"}
    return {"spans": [(start.isoformat(), end.isoformat()) for start, end in spans], "skipped": skipped}


def main() -> None:
    payload = json.load(sys.stdin)
    signal.alarm(payload["seconds"])  # in case the site has ended and cannot kill this process
    with suppress(ValueError, OSError):  # if the service manager forbids it, only the time limit applies
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    try:
        answer = answer_to(payload)
    except (MemoryError, RecursionError):
        sys.exit(1)
    json.dump(answer, sys.stdout)


def _series(calendar: Component) -> Iterable[list[Component]]:
    """Returns the calendar's events grouped by UID, because an event can move or cancel occurrences of another one in its group."""
    by_uid: dict[str, list[Component]] = defaultdict(list)
    for number, event in enumerate(calendar.walk("VEVENT")):
        by_uid[str(event.get("UID", f"none {number}"))].append(event)
    return by_uid.values()


def _spans_of(series: list[Component], zone: ZoneInfo, first: datetime, last: datetime, own_ids: frozenset[str]) -> list[Span]:
    calendar = Calendar()
    calendar.subcomponents = series
    events = recurring_ical_events.of(calendar).between(first - timedelta(days=1), last)
    return [
        (_instant(event.start, zone), _instant(event.end, zone))
        for event in events
        if isinstance(event, Event) and _counts(event, own_ids)
    ]


def _counts(event: Event, own_ids: frozenset[str]) -> bool:
    is_off = str(event.get("status", "")).upper() == "CANCELLED" or str(event.get("transp", "")).upper() == "TRANSPARENT"
    return not is_off and event.uid not in own_ids


def _instant(moment: date, zone: ZoneInfo) -> datetime:
    wall = moment if isinstance(moment, datetime) else datetime.combine(moment, time())
    return (wall if wall.tzinfo else wall.replace(tzinfo=zone)).astimezone(UTC)


if __name__ == "__main__":
    main()
