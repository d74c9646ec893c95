"""`python -m site_app.provider.booking.busy_process`: reads calendars as JSON from stdin, writes their busy times as JSON to stdout.

A calendar is an .ics file, or the multistatus of a CalDAV server. Both are untrusted, so the process limits its own time and memory.
"""

import json
import resource
import signal
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import recurring_ical_events
from icalendar import Calendar, Component, Event

from site_app.core.process_limits import limit_this_process

_MAX_SPANS = 20_000
# The parsers raised each of these for some broken file or event, such as an event from the year 1 to 9999.
_BROKEN = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)
_ADDRESS_SPACE = 2**30  # bytes; 4 MB of ordinary events take 150 MB
_DAV = "{DAV:}"
_CALDAV = "{urn:ietf:params:xml:ns:caldav}"


@dataclass(frozen=True)
class BusyQuery:
    """The time span and the owner for which busy times are read.

    `zone` applies to times without a zone; `host` are the owner's mail addresses.
    """

    zone: ZoneInfo
    first: datetime
    last: datetime
    own_ids: frozenset[str] = frozenset()
    host: frozenset[str] = frozenset()


@dataclass
class ParsedEvents:
    """The fields of a ParsedCalendar in busy.py. An own event is its UID, start, end, href and ETag."""

    spans: list[tuple[datetime, datetime]] = field(default_factory=list)
    skipped: int = 0
    own_events: list[tuple[str, datetime, datetime, str, str]] = field(default_factory=list)


class _PlainTree(ElementTree.TreeBuilder):
    """Refuses a document type before its entities are declared: a few hundred bytes of them expand to gigabytes."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise ValueError("it declares a document type")


def read_ics(ics: str, query: BusyQuery) -> ParsedEvents:
    """Reads an .ics file. Raises the parser's error if all events are unreadable."""
    return _read([("", "", ics)], query)


def read_multistatus(text: str, query: BusyQuery) -> ParsedEvents:
    """Reads a CalDAV server's multistatus. Raises ValueError if it is none, or the parser's error if all events are unreadable."""
    try:
        root = ElementTree.fromstring(text, ElementTree.XMLParser(target=_PlainTree()))  # noqa: S314  no declarations, no entities
    except ElementTree.ParseError as error:
        raise ValueError(str(error)) from None
    if root.tag != f"{_DAV}multistatus":
        raise ValueError(root.tag)
    return _read(list(_objects(root)), query)


def parse_calendar(payload: dict[str, Any]) -> dict[str, Any]:
    """Returns one calendar as the JSON of a ParsedCalendar, or its problem."""
    query = BusyQuery(
        ZoneInfo(payload["zone"]),
        *(datetime.fromisoformat(payload[name]) for name in ("first", "last")),
        own_ids=frozenset(payload.get("own_ids", ())),
        host=frozenset(payload.get("host", ())),
    )
    try:
        parsed = (read_multistatus if payload.get("multistatus") else read_ics)(payload["ics"], query)
    except _BROKEN as error:
        return {"problem": f"the calendar cannot be read: {type(error).__name__}"}
    if len(parsed.spans) > _MAX_SPANS:
        return {"problem": "it has too many events"}
    return {
        "spans": [(start.isoformat(), end.isoformat()) for start, end in parsed.spans],
        "skipped": parsed.skipped,
        "own_events": [
            (uid, start.isoformat(), end.isoformat(), href, etag) for uid, start, end, href, etag in parsed.own_events
        ],
    }


def main() -> None:
    payload = json.load(sys.stdin)
    signal.alarm(payload["seconds"])  # in case the site has ended and cannot kill this process
    limit_this_process({resource.RLIMIT_AS: _ADDRESS_SPACE})
    calendars = payload.pop("calendars")
    try:
        parsed_calendars = [parse_calendar(payload | calendar) for calendar in calendars]
    except (MemoryError, RecursionError):
        sys.exit(1)
    json.dump(parsed_calendars, sys.stdout)


def _objects(root: ElementTree.Element) -> Iterator[tuple[str, str, str]]:
    """Yields address, ETag and text of each calendar object; the text is empty if the server failed to read the object.

    Raises ValueError if the server left out objects.
    """
    for response in root.iter(f"{_DAV}response"):
        href = response.findtext(f"{_DAV}href", "")
        status = response.findtext(f"{_DAV}status", "").partition(" ")[2][:3]
        if status == "507":  # too many for one reply (RFC 4791, 7.8)
            raise ValueError("the reply is not complete")
        text = next((element.text for element in response.iter(f"{_CALDAV}calendar-data")), None)
        is_no_object = status in ("404", "410") or (not status and href.endswith("/"))  # deleted, or the calendar itself
        if text or not is_no_object:
            etag = next(response.iter(f"{_DAV}getetag"), None)
            yield href, (etag.text or "" if etag is not None else ""), text or ""


def _read(objects: Iterable[tuple[str, str, str]], query: BusyQuery) -> ParsedEvents:
    parsed = ParsedEvents()
    is_readable = False
    problem = None
    for href, etag, text in objects:
        try:
            calendar = Calendar.from_ical(text)
        except _BROKEN as error:
            parsed.skipped += 1
            problem = error
            continue
        events = _series(calendar)
        for series in events:
            try:
                parsed.spans += _spans_of(series, query)
                parsed.own_events += ((*event, href, etag) for event in _own_events(series, query))
                is_readable = True
            except _BROKEN as error:
                parsed.skipped += len(series)
                problem = error
        for free_busy in [] if events else calendar.walk("VFREEBUSY"):
            try:
                parsed.spans += _spans_of_free_busy(free_busy, query)
                is_readable = True
            except _BROKEN as error:
                parsed.skipped += 1
                problem = error
    if problem and not is_readable:
        raise problem
    first = query.first
    last = query.last
    parsed.spans = sorted((start, end) for start, end in parsed.spans if end > start and end > first and start < last)
    return parsed


def _series(calendar: Component) -> Collection[list[Component]]:
    """Returns the calendar's events grouped by UID, because an event can move or cancel occurrences of another one in its group."""
    by_uid: dict[str, list[Component]] = defaultdict(list)
    for number, event in enumerate(calendar.walk("VEVENT")):
        by_uid[str(event.get("UID", f"none {number}"))].append(event)
    return by_uid.values()


def _spans_of(series: list[Component], query: BusyQuery) -> list[tuple[datetime, datetime]]:
    calendar = Calendar()
    calendar.subcomponents = series
    events = recurring_ical_events.of(calendar).between(query.first - timedelta(days=1), query.last)
    return [
        (_instant(event.start, query.zone), _instant(_end_of(event), query.zone))
        for event in events
        if isinstance(event, Event) and event.uid not in query.own_ids and _takes_time(event, query.host)
    ]


def _spans_of_free_busy(free_busy: Component, query: BusyQuery) -> list[tuple[datetime, datetime]]:
    """Returns the busy times of a calendar that publishes those alone, without its events."""
    periods = free_busy.get("freebusy", [])
    return [
        (_instant(period.start, query.zone), _instant(period.end, query.zone))
        for period in (periods if isinstance(periods, list) else [periods])
        if str(period.params.get("fbtype", "")).upper() != "FREE"
    ]


def _end_of(event: Event) -> date:
    """Returns the end of an event. Some programs write the day itself as the end of an event of one day; it should be the day after."""
    is_one_day = not isinstance(event.start, datetime) and event.end == event.start
    return event.start + timedelta(days=1) if is_one_day else event.end


def _own_events(series: list[Component], query: BusyQuery) -> Iterator[tuple[str, datetime, datetime]]:
    """Yields the events of our own meetings, except those that the host has marked as cancelled."""
    for event in series:
        if isinstance(event, Event) and event.uid in query.own_ids and not _is_cancelled(event):
            yield event.uid, _instant(event.start, query.zone), _instant(event.end, query.zone)


def _takes_time(event: Event, host: frozenset[str]) -> bool:
    """Tentative events take time; events that are cancelled, shown as free, or declined by the host do not."""
    return not (_is_cancelled(event) or str(event.get("transp", "")).upper() == "TRANSPARENT" or _is_declined(event, host))


def _is_cancelled(event: Event) -> bool:
    return str(event.get("status", "")).upper() == "CANCELLED"


def _is_declined(event: Event, host: frozenset[str]) -> bool:
    attendees = event.get("attendee", [])
    return any(
        str(attendee).lower().removeprefix("mailto:") in host and str(attendee.params.get("partstat", "")).upper() == "DECLINED"
        for attendee in (attendees if isinstance(attendees, list) else [attendees])
    )


def _instant(moment: date, zone: ZoneInfo) -> datetime:
    wall = moment if isinstance(moment, datetime) else datetime.combine(moment, time())
    return (wall if wall.tzinfo else wall.replace(tzinfo=zone)).astimezone(UTC)


if __name__ == "__main__":
    main()
