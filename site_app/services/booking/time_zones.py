"""VTIMEZONE of a zone, from the changes of its clocks.

icalendar's own `Timezone.from_tzid` (7.3) writes the beginning of summer time on the new clock, 02:00 in London; the
standard wants the old one, 01:00, so calendars that go by the file would change an hour late.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from icalendar import Timezone, TimezoneDaylight, TimezoneStandard


@lru_cache(maxsize=32)
def time_zone(name: str, first: int, last: int) -> Timezone:
    """How clocks of the zone go in these years, with a year to spare on both sides."""
    zone = ZoneInfo(name)
    begin, end = datetime(first - 1, 1, 1, tzinfo=UTC), datetime(last + 2, 1, 1, tzinfo=UTC)
    found = Timezone()
    found.add("tzid", name)
    found.add_component(_observance(begin, begin, zone))
    for moment in changes(zone, begin, end):
        found.add_component(_observance(moment - timedelta(minutes=1), moment, zone))
    return found


def changes(zone: ZoneInfo, begin: datetime, end: datetime) -> Iterator[datetime]:
    """The instants at which clocks of the zone are put forward or back, to the minute."""
    day = begin
    while day < end:
        following = day + timedelta(days=1)
        if _clock(day, zone) != _clock(following, zone):
            yield _change(zone, day, following)
        day = following


def _change(zone: ZoneInfo, before: datetime, after: datetime) -> datetime:
    minutes = (after - before) // timedelta(minutes=1)
    if minutes == 1:
        return after
    middle = before + timedelta(minutes=minutes // 2)
    if _clock(before, zone) == _clock(middle, zone):
        return _change(zone, middle, after)
    return _change(zone, before, middle)


def _observance(before: datetime, moment: datetime, zone: ZoneInfo) -> TimezoneStandard | TimezoneDaylight:
    old, new = before.astimezone(zone), moment.astimezone(zone)
    offset = old.utcoffset() or timedelta()
    observance = TimezoneDaylight() if new.dst() else TimezoneStandard()
    observance.add("dtstart", (moment + offset).replace(tzinfo=None))
    observance.add("tzoffsetfrom", offset)
    observance.add("tzoffsetto", new.utcoffset() or timedelta())
    observance.add("tzname", new.tzname() or "")
    return observance


def _clock(moment: datetime, zone: ZoneInfo) -> tuple[timedelta | None, timedelta | None]:
    local = moment.astimezone(zone)
    return local.utcoffset(), local.dst()
