"""Free slots as days of the visitor's calendar, each time on both clocks. The widget makes its own in day_list.jsx."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from site_app.contracts.meeting import Slot
from site_app.i18n import t
from site_app.i18n.clocks import change_near, city, day_words, host_clock, time_words

SHOWN = 5


@dataclass(frozen=True)
class Time:
    id: str
    utc: str
    here: str
    there: str


@dataclass(frozen=True)
class Day:
    date: date
    first: datetime
    words: str
    notes: tuple[str, ...]
    times: tuple[Time, ...]


@dataclass(frozen=True)
class Leaf:
    """A few days out of all, and the days that the leaves before and after it begin with."""

    days: tuple[Day, ...]
    earlier: date | None
    later: date | None


def days_of(slots: Iterable[Slot], zone: ZoneInfo, host: ZoneInfo) -> list[Day]:
    """The slots by the visitor's days, in order."""
    return [
        Day(
            day,
            found[0].start,
            day_words(found[0].start, zone),
            _notes(day, zone, host),
            tuple(_time(one, zone, host) for one in found),
        )
        for day, group in groupby(slots, key=lambda slot: slot.start.astimezone(zone).date())
        for found in (list(group),)
    ]


def leaf(days: list[Day], first: date | None) -> Leaf:
    """The days from `first` on that one page shows."""
    index = next((count for count, day in enumerate(days) if first is None or day.date >= first), max(0, len(days) - SHOWN))
    return Leaf(
        days=tuple(days[index : index + SHOWN]),
        earlier=days[max(0, index - SHOWN)].date if index else None,
        later=days[index + SHOWN].date if index + SHOWN < len(days) else None,
    )


def _time(slot: Slot, zone: ZoneInfo, host: ZoneInfo) -> Time:
    return Time(slot.id, f"{slot.start:%Y-%m-%dT%H:%MZ}", time_words(slot.start, zone), host_clock(slot.start, zone, host))


def _notes(day: date, zone: ZoneInfo, host: ZoneInfo) -> tuple[str, ...]:
    return tuple(
        t(
            "Clocks in {place} change on {day}. The times shown here already allow for it.",
            place=city(one),
            day=day_words(moment, one),
        )
        for one in dict.fromkeys((zone, host))
        if (moment := change_near(day, one))
    )
