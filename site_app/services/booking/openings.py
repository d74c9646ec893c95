"""When the founder takes calls: working hours in local time, as instants."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import pairwise
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from site_app.constants import CONSULTATION
from site_app.settings import BrokenSetting, Settings

QUARTER = timedelta(minutes=15)
CALL = CONSULTATION
_WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY = 24 * 60


@dataclass(frozen=True)
class Openings:
    """The rules slots are made from; `hours` are minutes since local midnight, from and to."""

    zone: ZoneInfo
    weekdays: frozenset[int]
    hours: tuple[tuple[int, int], ...]
    days_off: frozenset[date]
    buffer: timedelta
    notice: timedelta
    horizon: timedelta


@lru_cache(maxsize=64)
def openings(settings: Settings) -> Openings:
    """The rules as the settings say them; raises BrokenSetting on what no calendar could keep."""
    if settings.booking_buffer % QUARTER:
        raise BrokenSetting(f"SITE_BOOKING_BUFFER is {settings.booking_buffer}; it must be whole quarter hours")
    return Openings(
        zone=_zone(settings.booking_zone),
        weekdays=frozenset(_weekday(name) for name in settings.booking_days),
        hours=_apart(tuple(_hours(text) for text in settings.booking_hours)),
        days_off=frozenset(day for text in settings.booking_days_off for day in _days(text)),
        buffer=settings.booking_buffer,
        notice=settings.booking_notice,
        horizon=settings.booking_horizon,
    )


def starts_on(openings: Openings, day: date) -> tuple[datetime, ...]:
    """When calls can begin on a local day, in UTC: local times that do not exist are left out, doubled ones come twice."""
    if day.weekday() not in openings.weekdays or day in openings.days_off:
        return ()
    return tuple(
        sorted(
            start
            for opens, closes in openings.hours
            for minutes in range(opens, closes, CALL // timedelta(minutes=1))
            for start in instants(day, minutes, openings.zone)
            if _inside(openings, start, day, opens, closes)
        )
    )


def instants(day: date, minutes: int, zone: ZoneInfo) -> set[datetime]:
    """The instants at which clocks of the zone show this: one, two when they are put back, none when put forward."""
    wall = datetime.combine(day, time(minutes // 60, minutes % 60))
    found = {wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return {instant for instant in found if instant.astimezone(zone).replace(tzinfo=None) == wall}


def quarter_hours(start: datetime, end: datetime) -> Iterator[datetime]:
    """The quarter hours that a time touches, in order."""
    quarter = start - timedelta(minutes=start.minute % 15, seconds=start.second, microseconds=start.microsecond)
    while quarter < end:
        yield quarter
        quarter += QUARTER


def _inside(openings: Openings, start: datetime, day: date, opens: int, closes: int) -> bool:
    # Asked of each quarter hour, since a call may run over the moment clocks change.
    for quarter in quarter_hours(start, start + CALL):
        local = quarter.astimezone(openings.zone)
        if local.date() != day or not opens <= local.hour * 60 + local.minute < closes:
            return False
    return True


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BrokenSetting(f"SITE_BOOKING_ZONE is {name!r}; it must be a time zone like Europe/London") from None


def _weekday(name: str) -> int:
    if name.lower() not in _WEEK:
        raise BrokenSetting(f"SITE_BOOKING_DAYS names {name!r}; days are: {', '.join(_WEEK)}")
    return _WEEK.index(name.lower())


def _hours(text: str) -> tuple[int, int]:
    opens, _, closes = text.partition("-")
    try:
        span = _minutes(opens), _minutes(closes)
    except ValueError:
        raise BrokenSetting(f"SITE_BOOKING_HOURS says {text!r}; it must be like 09:00-17:00") from None
    if span[0] % 15 or span[1] % 15 or not 0 <= span[0] < span[1] <= _DAY:
        raise BrokenSetting(f"SITE_BOOKING_HOURS says {text!r}; it must go from one quarter hour of a day to a later one")
    return span


def _minutes(text: str) -> int:
    hour, minute = text.strip().split(":")
    if not (hour.isdecimal() and minute.isdecimal() and int(minute) < 60):
        raise ValueError(text)
    return int(hour) * 60 + int(minute)


def _apart(hours: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    ordered = tuple(sorted(hours))
    for (_, closes), (opens, _) in pairwise(ordered):
        if opens < closes:
            raise BrokenSetting("SITE_BOOKING_HOURS overlap; give each hour once")
    return ordered


def _days(text: str) -> Iterable[date]:
    first, _, last = text.partition("..")
    try:
        begin, end = date.fromisoformat(first.strip()), date.fromisoformat((last or first).strip())
    except ValueError:
        raise BrokenSetting(
            f"SITE_BOOKING_DAYS_OFF says {text!r}; it must be like 2026-12-25 or 2026-12-24..2027-01-02"
        ) from None
    return (begin + timedelta(days=count) for count in range((end - begin).days + 1))
