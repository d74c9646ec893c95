"""Calendar files as two parsers that know nothing of each other read them."""

from datetime import UTC, datetime
from typing import Any

import vobject
from icalendar import Calendar


def parsed(ics: bytes) -> Any:
    """The calendar of a file; icalendar's own types know too many shapes of each property to be read in a test."""
    return Calendar.from_ical(ics)


def by_icalendar(ics: bytes) -> tuple[datetime, datetime]:
    event = parsed(ics).walk("VEVENT")[0]
    return event.start.astimezone(UTC), event.end.astimezone(UTC)


def by_vobject(ics: bytes) -> tuple[datetime, datetime]:
    event: Any = vobject.readOne(ics.decode()).vevent  # pyright: ignore
    return event.dtstart.value.astimezone(UTC), event.dtend.value.astimezone(UTC)
