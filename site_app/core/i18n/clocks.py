"""Moments in words, on the reader's clock and the host's, and the time zones that a visitor can choose."""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_interval, format_skeleton

from site_app.core.i18n.locale import BY_ID, current, use
from site_app.core.i18n.names import city_name, cldr, country_name, order
from site_app.core.i18n.words import t


def date_words(day: date) -> str:
    """A date without its weekday: 14 August 2024. Thai's long form would name the era (G), which nobody does on a website."""
    return format_date(day, cldr().date_formats["long"].pattern.replace("G ", ""), locale=cldr())


def day_words(moment: datetime, zone: ZoneInfo) -> str:
    """The day a moment falls on there: Tuesday 4 August 2026, 2026年8月4日周二."""
    skeleton = "yMMMEd" if cldr().language == "zh" else "yMMMMEEEEd"  # 周二 as in every calendar there, not 星期二
    return format_skeleton(skeleton, moment.astimezone(zone), locale=cldr()).replace(",", "")


def time_words(moment: datetime, zone: ZoneInfo) -> str:
    """The time on the clocks there: 15:00."""
    return f"{moment.astimezone(zone):%H:%M}"


def month_words(day: date) -> str:
    """The month, short: Aug, 8月."""
    return format_date(day, "MMM", locale=cldr())


def span_words(first: date, last: date) -> str:
    """The days from one to another: 23 Nov – 27 Dec."""
    return format_interval(first, last, "MMMMd", locale=cldr())


def week() -> list[tuple[str, str]]:
    """The weekdays from Monday on, long and short."""
    days = [date(2024, 1, day) for day in range(1, 8)]
    return [tuple(format_date(day, width, locale=cldr()) for width in ("EEEE", "E")) for day in days]  # pyright: ignore


def host_clock(moment: datetime, zone: ZoneInfo, host: ZoneInfo) -> str:
    """The host's time, with its weekday where the reader's is another: Mon 17:30 London. Empty where both clocks show the same."""
    visitor_moment, host_moment = moment.astimezone(zone), moment.astimezone(host)
    if visitor_moment.replace(tzinfo=None) == host_moment.replace(tzinfo=None):
        return ""
    return _clock(moment, host, weekday=visitor_moment.date() != host_moment.date())


def both_clocks(moment: datetime, zone: ZoneInfo, host: ZoneInfo) -> str:
    """The reader's time and the host's, for below the reader's day: 00:30 Shanghai · Mon 17:30 London."""
    host_words = host_clock(moment, zone, host)
    return f"{_clock(moment, zone, weekday=False)} · {host_words}" if host_words else _clock(moment, host, weekday=False)


def moment_words(moment: datetime, zone: ZoneInfo, host: ZoneInfo) -> str:
    """The reader's day with both clocks: Tuesday 4 August 2026, 15:00 Bangkok · 09:00 London."""
    return t("{day}, {clocks}", day=day_words(moment, zone), clocks=both_clocks(moment, zone, host))


def city(zone: ZoneInfo) -> str:
    """The place a zone is named after: London, ลอนดอน, 伦敦."""
    return city_name(zone.key).partition("、")[0]  # of 北京、上海 the first


def offset_words(moment: datetime, zone: ZoneInfo) -> str:
    """How far clocks there are from UTC at that moment: UTC+07:00."""
    return f"UTC{moment.astimezone(zone).isoformat()[-6:]}"


def change_near(day: date, zone: ZoneInfo) -> datetime | None:
    """A moment of the day, within a week of this one, on which clocks there are put forward or back."""
    noon = datetime.combine(day, time(12), UTC)
    for at in range(-7, 7):
        noon_before, noon_after = (noon + timedelta(days=at + days) for days in (0, 1))
        if noon_before.astimezone(zone).utcoffset() != noon_after.astimezone(zone).utcoffset():
            return noon_after
    return None


def _clock(moment: datetime, zone: ZoneInfo, *, weekday: bool) -> str:
    time, place = time_words(moment, zone), city(zone)
    if not weekday:
        return t("{time} {place}", time=time, place=place)
    short = format_skeleton("E", moment.astimezone(zone), locale=cldr())
    return t("{weekday} {time} {place}", weekday=short, time=time, place=place)


@cache
def places() -> tuple[tuple[str, str], ...]:
    """Each zone with the country it is in; world time is in none."""
    table = (files("tzdata") / "zoneinfo" / "zone.tab").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    return (*((row[2], row[0]) for row in rows), ("UTC", ""))


def zone_choices(moment: datetime, chosen: str) -> tuple[tuple[str, str], ...]:
    """Each zone with what it is called, in order; the chosen one is among them even if it is known by an old name."""
    choices = _choices(current().id, moment.replace(hour=12, minute=0, second=0, microsecond=0))
    return choices if any(chosen == zone for zone, _ in choices) else ((chosen, _words(chosen, "", moment)), *choices)


@lru_cache(maxsize=12)
def _choices(language: str, moment: datetime) -> tuple[tuple[str, str], ...]:
    with use(BY_ID[language]):
        choices = [(zone, _words(zone, country, moment)) for zone, country in places()]
    return tuple(sorted(choices, key=lambda choice: order(language, choice[1])))


def _words(zone: str, country: str, moment: datetime) -> str:
    """Bangkok, Thailand (UTC+07:00), as it is on that day."""
    clock = _zone(zone)
    city, country_words, offset = city_name(zone), country_name(country), offset_words(moment, clock)
    if not country_words or country_words == city:
        return t("{city} ({offset})", city=city, offset=offset)
    return t("{city}, {country} ({offset})", city=city, country=country_words, offset=offset)


@cache
def _zone(name: str) -> ZoneInfo:
    """Cached, because ZoneInfo caches eight: reading the files of all takes 30 ms, and a visitor can ask for one day after another."""
    return ZoneInfo(name)
