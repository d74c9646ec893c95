"""The times at which meetings can start, by the founder's working hours in local time."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from site_app.core.locales import ENGLISH
from site_app.core.public_holidays import holidays_of
from site_app.core.settings import Settings
from site_app.core.settings.rules import WEEK, dates_of, spans_of_days

QUARTER = timedelta(minutes=15)


@dataclass(frozen=True)
class Rules:
    """The rules from which slots are computed.

    `hours` are pairs of start and end in minutes since local midnight; `hours_of_weekday` are those of weekdays with hours of their own.
    """

    zone: ZoneInfo
    weekdays: frozenset[int]
    hours: tuple[tuple[int, int], ...]
    days_off: frozenset[date]
    length: timedelta
    buffer: timedelta
    notice: timedelta
    horizon: timedelta
    hours_of_weekday: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = ()  # a dict cannot be hashed
    holidays: str = ""  # the region whose public holidays are closed
    language: str = ENGLISH.id  # of the calls

    def hours_on(self, day: date) -> tuple[tuple[int, int], ...]:
        """Returns the hours of this local day if its weekday is open."""
        return dict(self.hours_of_weekday).get(day.weekday(), self.hours)


@lru_cache(maxsize=64)
def booking_rules(settings: Settings, language: str = ENGLISH.id) -> Rules:
    """Returns the rules of calls in this language. A language that the settings no longer name has the hours of all others."""
    spans = spans_of_days(settings.meeting_hours.get(language, settings.booking_hours))
    return Rules(
        zone=ZoneInfo(settings.booking_zone),
        weekdays=frozenset(WEEK.index(name.lower()) for name in settings.booking_days),
        hours=spans.pop("", ()),
        hours_of_weekday=tuple((WEEK.index(day), hours) for day, hours in spans.items()),
        holidays=settings.booking_holidays,
        days_off=frozenset(day for text in settings.booking_days_off for day in dates_of(text)),
        length=settings.booking_length,
        buffer=settings.booking_buffer,
        notice=settings.booking_notice,
        horizon=settings.booking_horizon,
        language=language,
    )


def starts_on(rules: Rules, day: date) -> tuple[datetime, ...]:
    """Returns the possible starts on a local day, in UTC. Local times skipped by a clock change are left out, repeated ones occur twice."""
    if day.weekday() not in rules.weekdays or is_day_off(rules, day):
        return ()
    return tuple(
        sorted(
            start
            for opens, closes in rules.hours_on(day)
            for minutes in range(opens, closes, rules.length // timedelta(minutes=1))
            for start in _instants(day, minutes, rules.zone)
            if _is_inside(rules, start, day, opens, closes)
        )
    )


def is_day_off(rules: Rules, day: date) -> bool:
    """Returns True if this local day is a day off or a public holiday."""
    return day in rules.days_off or day in holidays_of(rules.holidays, day.year)


def quarter_hours(start: datetime, end: datetime) -> Iterator[datetime]:
    """Yields the quarter hours that overlap the time from `start` to `end`, in order."""
    quarter = start - timedelta(minutes=start.minute % 15, seconds=start.second, microseconds=start.microsecond)
    while quarter < end:
        yield quarter
        quarter += QUARTER


def _instants(day: date, minutes: int, zone: ZoneInfo) -> set[datetime]:
    """Returns the instants at which the zone's clocks show this time: usually one, two if clocks go back, none if they go forward."""
    wall = datetime.combine(day, time(minutes // 60, minutes % 60))
    instants = {wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return {instant for instant in instants if instant.astimezone(zone).replace(tzinfo=None) == wall}


def _is_inside(rules: Rules, start: datetime, day: date, opens: int, closes: int) -> bool:
    # Check each quarter hour, because clocks may change during a meeting.
    for quarter in quarter_hours(start, start + rules.length):
        local = quarter.astimezone(rules.zone)
        if local.date() != day or not opens <= local.hour * 60 + local.minute < closes:
            return False
    return True
