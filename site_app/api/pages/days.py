"""Free slots as days of the visitor's calendar, each time on both clocks."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from site_app.i18n import t
from site_app.i18n.clocks import city, day_words, time_words, weekday_words
from site_app.services.booking.slots import Slot

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
    note: str
    times: tuple[Time, ...]


@dataclass(frozen=True)
class Leaf:
    """A few days out of all, and the days that the leaves before and after it begin with."""

    days: tuple[Day, ...]
    earlier: date | None
    later: date | None


def days_of(slots: Iterable[Slot], zone: ZoneInfo, host: ZoneInfo, now: datetime) -> list[Day]:
    """The slots by the visitor's days."""
    return [
        Day(
            day,
            found[0].start,
            day_words(found[0].start, zone),
            _note(found[0].start, now, zone, host),
            tuple(_time(one, zone, host) for one in found),
        )
        for day, group in groupby(sorted(slots), key=lambda slot: slot.start.astimezone(zone).date())
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
    here, there = slot.start.astimezone(zone), slot.start.astimezone(host)
    if here.replace(tzinfo=None) == there.replace(tzinfo=None):
        theirs = ""
    elif here.date() == there.date():
        theirs = t("{time} {place}", time=time_words(slot.start, host), place=city(host))
    else:
        theirs = t(
            "{weekday} {time} {place}",
            weekday=weekday_words(slot.start, host),
            time=time_words(slot.start, host),
            place=city(host),
        )
    return Time(slot.id, f"{slot.start:%Y-%m-%dT%H:%MZ}", time_words(slot.start, zone), theirs)


def _note(moment: datetime, now: datetime, zone: ZoneInfo, host: ZoneInfo) -> str:
    if _apart(moment, zone, host) == _apart(now, zone, host):
        return ""
    return t(
        "Clocks change before this day: the difference between {place} and {other} is not today's.",
        place=city(zone),
        other=city(host),
    )


def _apart(moment: datetime, zone: ZoneInfo, host: ZoneInfo) -> timedelta:
    return moment.astimezone(zone).replace(tzinfo=None) - moment.astimezone(host).replace(tzinfo=None)
