"""Free times: slots as days of the visitor's calendar, in both time zones, for the booking dialog and for plain pages."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from site_app.contracts.fields import time_zones
from site_app.contracts.meeting import Slot
from site_app.contracts.reply import Reply
from site_app.core.i18n import current, t
from site_app.core.i18n.clocks import (
    both_clocks,
    city,
    clock_change_near,
    day_words,
    host_clock,
    month_words,
    span_words,
    time_words,
)

_WEEKS = 6  # on one sheet of the calendar
_DAY = timedelta(days=1)
_NOON, _EVENING = 12, 18  # hours at which parts of the day begin


class SlotTime(Reply):
    """`visitor_time` is in the visitor's zone, `host_time` in the host's, empty if both are the same; `day` is the visitor's day in words."""

    id: str
    start: datetime
    day: str
    visitor_time: str
    host_time: str
    clocks: str

    @property
    def utc(self) -> str:
        """The value for the datetime attribute of a <time>."""
        return f"{self.start:%Y-%m-%dT%H:%MZ}"


class Day(Reply):
    date: date
    words: str
    notes: list[str]
    times: list[SlotTime]


class CalendarDay(Reply):
    """A day of the calendar. `month` is set on the first of the month and on the first day of a sheet.

    `label` says how many times are free; it is empty on a day without free times.
    """

    date: date
    number: int
    month: str
    label: str


class Sheet(Reply):
    words: str
    weeks: list[list[CalendarDay]]


def visitor_zone(name: str, host_zone: ZoneInfo) -> ZoneInfo:
    """Returns the named zone if it exists, else the zone of most readers of this language, else the host's."""
    return ZoneInfo(name if name in time_zones() else current().zone or host_zone.key)


def days_of(slots: Iterable[Slot], zone: ZoneInfo, host_zone: ZoneInfo) -> list[Day]:
    """Returns the visitor's days with their slots, in order."""
    return [day_of(same_day, zone, host_zone) for same_day in slots_by_day(slots, zone).values()]


def day_of(slots: Sequence[Slot], zone: ZoneInfo, host_zone: ZoneInfo) -> Day:
    """Returns one day of the visitor's calendar from its slots; there must be at least one."""
    start = slots[0].start
    day = start.astimezone(zone).date()
    words = day_words(start, zone)
    changes = [(place, clock_change_near(day, place)) for place in dict.fromkeys((zone, host_zone))]
    notes = [
        t(
            "Clocks in {place} change on {day}. The times shown here already allow for it.",
            place=city(place),
            day=day_words(moment, place),
        )
        for place, moment in changes
        if moment
    ]
    return Day(date=day, words=words, notes=notes, times=[_time(slot, words, zone, host_zone) for slot in slots])


def day_parts(times: Sequence[SlotTime], zone: ZoneInfo) -> list[tuple[str, list[SlotTime]]]:
    """Groups the times of a day by its parts, with the words for each; leaves times of a single part without words."""
    starts = {0: t("Morning"), _NOON: t("Afternoon"), _EVENING: t("Evening")}
    grouped = groupby(times, key=lambda time: max(hour for hour in starts if hour <= time.start.astimezone(zone).hour))
    parts = [(starts[hour], [*same_part]) for hour, same_part in grouped]
    return parts if len(parts) > 1 else [("", [*times])]


def time_of(slot: Slot, zone: ZoneInfo, host_zone: ZoneInfo) -> SlotTime:
    """Returns a single slot in words."""
    return _time(slot, day_words(slot.start, zone), zone, host_zone)


def slots_by_day(slots: Iterable[Slot], zone: ZoneInfo) -> dict[date, list[Slot]]:
    """Groups the slots by the visitor's days, both in order."""
    grouped = groupby(sorted(slots, key=lambda slot: slot.start), key=lambda slot: slot.start.astimezone(zone).date())
    return {day: list(same_day) for day, same_day in grouped}


def sheets_of(slots: Iterable[Slot], zone: ZoneInfo) -> list[Sheet]:
    """Returns the calendar of the free days in sheets of a few weeks: whole weeks, from the first free day's to the last one's."""
    by_day = slots_by_day(slots, zone)
    if not by_day:
        return []
    days = [*by_day]
    first = _monday_of(days[0])
    last = _monday_of(days[-1]) + 6 * _DAY
    dates = [first + at * _DAY for at in range((last - first).days + 1)]
    labels = {
        day: t("{day}, available times: {count}", day=day_words(same_day[0].start, zone), count=len(same_day))
        for day, same_day in by_day.items()
    }
    return [_sheet(dates[at : at + 7 * _WEEKS], labels) for at in range(0, len(dates), 7 * _WEEKS)]


def sheet_index(days: Sequence[date], day: date) -> int:
    """Returns the index of the calendar sheet that shows this day."""
    return (day - _monday_of(days[0])).days // (7 * _WEEKS) if days else 0


def _monday_of(day: date) -> date:
    return day - day.weekday() * _DAY


def _time(slot: Slot, day: str, zone: ZoneInfo, host_zone: ZoneInfo) -> SlotTime:
    return SlotTime(
        id=slot.id,
        start=slot.start,
        day=day,
        visitor_time=time_words(slot.start, zone),
        host_time=host_clock(slot.start, zone, host_zone, is_short=True),
        clocks=both_clocks(slot.start, zone, host_zone),
    )


def _sheet(dates: list[date], labels: dict[date, str]) -> Sheet:
    cells = [
        CalendarDay(
            date=day,
            number=day.day,
            month=month_words(day) if day.day == 1 or day == dates[0] else "",
            label=labels.get(day, ""),
        )
        for day in dates
    ]
    weeks = [cells[at : at + 7] for at in range(0, len(cells), 7)]
    return Sheet(words=span_words(dates[0], dates[-1]), weeks=weeks)
