"""Formats times in the reader's and the host's time zone, and lists the time zones that a visitor can choose."""

import re
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from functools import cache, lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_interval, format_skeleton

from site_app.core.i18n.current_locale import current, use
from site_app.core.i18n.names import city_name, cldr, country_name, sort_key
from site_app.core.i18n.translate import join_list, t, tc, tn
from site_app.core.locales import BY_ID


def date_words(day: date) -> str:
    """Formats a date without its weekday: 14 August 2024. Removes the era (G) from Thai's long format, as websites do."""
    return format_date(day, cldr().date_formats["long"].pattern.replace("G ", ""), locale=cldr())


def day_words(moment: datetime, zone: ZoneInfo) -> str:
    """Formats the day of a moment in that zone: Tuesday 4 August 2026, 2026年8月4日周二."""
    skeleton = "yMMMEd" if cldr().language == "zh" else "yMMMMEEEEd"  # 周二 as in Chinese calendars, not 星期二
    return format_skeleton(skeleton, moment.astimezone(zone), locale=cldr()).replace(",", "")


def time_words(moment: datetime, zone: ZoneInfo) -> str:
    """Formats the time in that zone: 15:00."""
    return f"{moment.astimezone(zone):%H:%M}"


def short_words(moment: datetime, zone: ZoneInfo) -> str:
    """Formats the time in that zone with its weekday, as short as a button has room for: Fri 15:00."""
    return f"{_weekday(moment, zone)} {time_words(moment, zone)}"


def month_words(day: date) -> str:
    """Formats the month, short: Aug, 8月."""
    return format_date(day, "MMM", locale=cldr())


def span_words(first: date, last: date) -> str:
    """Formats a range of days: 23 Nov – 27 Dec."""
    return format_interval(first, last, "MMMMd", locale=cldr())


def weekday_names() -> list[tuple[str, str]]:
    """Returns the weekdays from Monday on, long and short."""
    days = [date(2024, 1, day) for day in range(1, 8)]
    return [tuple(format_date(day, width, locale=cldr()) for width in ("EEEE", "E")) for day in days]  # pyright: ignore


def lead_time_words(lead_times: Iterable[timedelta]) -> str:
    """Formats how long before a call its reminders are sent, the longest first: a day and an hour. Returns "" for none."""
    *earlier, last = [_duration_words(lead) for lead in sorted(lead_times, reverse=True)] or [""]
    return tc("times", "{rest} and {last}", rest=join_list(earlier), last=last) if earlier else last


def _duration_words(duration: timedelta) -> str:
    minutes = duration // timedelta(minutes=1)
    if minutes % (24 * 60) == 0:
        return tn("a day", "{count} days", minutes // (24 * 60))
    if minutes % 60 == 0:
        return tn("an hour", "{count} hours", minutes // 60)
    return tn("a minute", "{count} minutes", minutes)


def host_clock(moment: datetime, zone: ZoneInfo, host_zone: ZoneInfo, *, is_short: bool = False) -> str:
    """Formats the host's time, with its weekday if the reader's differs: Mon 17:30 London. Returns "" if both times are the same.

    The short format fits into a button.
    """
    visitor_moment, host_moment = moment.astimezone(zone), moment.astimezone(host_zone)
    if visitor_moment.replace(tzinfo=None) == host_moment.replace(tzinfo=None):
        return ""
    return _clock(moment, host_zone, weekday=visitor_moment.date() != host_moment.date(), is_short=is_short)


def both_clocks(moment: datetime, zone: ZoneInfo, host_zone: ZoneInfo) -> str:
    """Formats the reader's and the host's time, to show below the reader's day: 00:30 Shanghai · Mon 17:30 London.

    Names only the reader's zone if both times are the same, because it is the one that the reader chose.
    """
    host_words = host_clock(moment, zone, host_zone)
    reader_words = _clock(moment, zone, weekday=False)
    return f"{reader_words} · {host_words}" if host_words else reader_words


def moment_words(moment: datetime, zone: ZoneInfo, host_zone: ZoneInfo) -> str:
    """Formats the reader's day with both times: Tuesday 4 August 2026, 15:00 Bangkok · 09:00 London."""
    return t("{day}, {clocks}", day=day_words(moment, zone), clocks=both_clocks(moment, zone, host_zone))


def city(zone: ZoneInfo) -> str:
    """Returns the city of a zone: London, ลอนดอน, 伦敦."""
    return re.split("、| and ", city_name(zone.key))[0]  # Beijing of "Beijing and Shanghai"


def offset_words(moment: datetime, zone: ZoneInfo) -> str:
    """Formats the UTC offset of the zone at that moment: UTC+07:00."""
    return f"UTC{moment.astimezone(zone).isoformat()[-6:]}"


def clock_change_near(day: date, zone: ZoneInfo) -> datetime | None:
    """Returns noon of the day, within a week of `day`, on which the zone's clocks change, or None."""
    for days in range(-6, 8):
        # The zone's own midnights: at noon in UTC the next day has begun in Auckland.
        midnight = datetime.combine(day + timedelta(days=days), time(), zone)
        if midnight.utcoffset() != (midnight + timedelta(days=1)).utcoffset():
            return midnight.replace(hour=12)
    return None


def _clock(moment: datetime, zone: ZoneInfo, *, weekday: bool, is_short: bool = False) -> str:
    words = {"time": time_words(moment, zone), "place": city(zone)}
    if weekday:
        words["weekday"] = _weekday(moment, zone)
        if is_short:
            return tc("button", "{weekday} {time} {place}", **words)
        return t("{weekday} {time} {place}", **words)
    return tc("button", "{time} {place}", **words) if is_short else t("{time} {place}", **words)


def _weekday(moment: datetime, zone: ZoneInfo) -> str:
    return format_skeleton("E", moment.astimezone(zone), locale=cldr())


@cache
def zones_with_country() -> tuple[tuple[str, str], ...]:
    """Returns each zone with its country's code; UTC has none."""
    table = (files("tzdata") / "zoneinfo" / "zone.tab").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    return (*((row[2], row[0]) for row in rows), ("UTC", ""))


def zone_choices(moment: datetime, chosen_zone: str) -> tuple[tuple[str, str], ...]:
    """Returns each zone with its label, sorted; includes the chosen one even if its name is an old alias."""
    choices = _choices(current().id, moment.replace(hour=12, minute=0, second=0, microsecond=0))
    return (
        choices
        if any(chosen_zone == zone for zone, _ in choices)
        else ((chosen_zone, _zone_label(chosen_zone, "", moment)), *choices)
    )


@lru_cache(maxsize=12)
def _choices(language: str, moment: datetime) -> tuple[tuple[str, str], ...]:
    with use(BY_ID[language]):
        choices = [(zone, _zone_label(zone, country, moment)) for zone, country in zones_with_country()]
    return tuple(sorted(choices, key=lambda choice: sort_key(language, choice[1])))


_CITIES_ALONE = ("Asia/Hong_Kong", "Asia/Macau", "Asia/Taipei")  # read better without the long official name of the territory


def _zone_label(zone: str, country: str, moment: datetime) -> str:
    """Returns the label of a zone with its UTC offset on that day: Bangkok, Thailand (UTC+07:00), but UTC as such."""
    city_words = city_name(zone)
    country_words = country_name(country)
    offset = offset_words(moment, _zone(zone))
    if offset.startswith(city_words):
        return city_words
    if not country_words or country_words == city_words or zone in _CITIES_ALONE:
        return t("{city} ({offset})", city=city_words, offset=offset)
    return t("{city}, {country} ({offset})", city=city_words, country=country_words, offset=offset)


@cache
def _zone(name: str) -> ZoneInfo:
    """Caches every zone, because ZoneInfo keeps only eight: reading all files takes 30 ms, and a visitor can request many days."""
    return ZoneInfo(name)
