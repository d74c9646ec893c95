"""Free slots as days of the visitor's calendar, in words on both clocks: what the booking dialog and the plain pages show."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from site_app.contracts.answer import Answer
from site_app.contracts.meeting import Slot
from site_app.i18n import t
from site_app.i18n.clocks import both_clocks, change_near, city, day_words, host_clock, month_words, span_words, time_words
from site_app.i18n.time_zones import zone_choices

_WEEKS = 6  # that a sheet of the calendar shows at once
_DAY = timedelta(days=1)


class Time(Answer):
    """`here` is the visitor's clock; `there` is the host's, and empty where both show the same."""

    id: str
    start: datetime
    here: str
    there: str
    clocks: str

    @property
    def utc(self) -> str:
        """For the attribute of a <time>."""
        return f"{self.start:%Y-%m-%dT%H:%MZ}"


class Day(Answer):
    date: date
    words: str
    label: str
    notes: list[str]
    times: list[Time]


class Cell(Answer):
    """A day of the calendar; its month is named on the first of the month and at the beginning of a sheet."""

    date: date
    month: str


class Sheet(Answer):
    words: str
    weeks: list[list[Cell]]


class FreeTimes(Answer):
    """`zones` are all that can be chosen, each with its label."""

    zone: str
    zones: Sequence[tuple[str, str]]
    days: list[Day]
    sheets: list[Sheet]


def free_times(slots: Iterable[Slot], zone: ZoneInfo, host: ZoneInfo, now: datetime) -> FreeTimes:
    """The slots as days, and the calendar around them."""
    days = days_of(slots, zone, host)
    first = days[0].times[0].start if days else now
    return FreeTimes(
        zone=zone.key,
        zones=zone_choices(first, zone.key),
        days=days,
        sheets=_sheets([day.date for day in days]),
    )


def days_of(slots: Iterable[Slot], zone: ZoneInfo, host: ZoneInfo) -> list[Day]:
    """The slots by the visitor's days, in order."""
    grouped = groupby(sorted(slots, key=lambda slot: slot.start), key=lambda slot: slot.start.astimezone(zone).date())
    return [_day(day, list(found), zone, host) for day, found in grouped]


def _day(day: date, slots: list[Slot], zone: ZoneInfo, host: ZoneInfo) -> Day:
    words = day_words(slots[0].start, zone)
    label = t("{day}, available times: {count}", day=words, count=len(slots))
    changes = [(one, change_near(day, one)) for one in dict.fromkeys((zone, host))]
    notes = [
        t(
            "Clocks in {place} change on {day}. The times shown here already allow for it.",
            place=city(one),
            day=day_words(moment, one),
        )
        for one, moment in changes
        if moment
    ]
    times = [
        Time(
            id=slot.id,
            start=slot.start,
            here=time_words(slot.start, zone),
            there=host_clock(slot.start, zone, host),
            clocks=both_clocks(slot.start, zone, host),
        )
        for slot in slots
    ]
    return Day(date=day, words=words, label=label, notes=notes, times=times)


def _sheets(days: list[date]) -> list[Sheet]:
    """Whole weeks from that of the first day to that of the last."""
    if not days:
        return []
    first, last = days[0] - days[0].weekday() * _DAY, days[-1] + (6 - days[-1].weekday()) * _DAY
    dates = [first + at * _DAY for at in range((last - first).days + 1)]
    return [_sheet(dates[at : at + 7 * _WEEKS]) for at in range(0, len(dates), 7 * _WEEKS)]


def _sheet(dates: list[date]) -> Sheet:
    cells = [Cell(date=day, month=month_words(day) if day.day == 1 or day == dates[0] else "") for day in dates]
    weeks = [cells[at : at + 7] for at in range(0, len(cells), 7)]
    return Sheet(words=span_words(dates[0], dates[-1]), weeks=weeks)
