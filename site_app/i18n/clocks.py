"""Moments in the words of the language being written: the reader's clock and the host's."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from babel import Locale as Cldr
from babel.dates import format_date, format_skeleton

from site_app.i18n.cities import city_name
from site_app.i18n.locale import current
from site_app.i18n.words import t


def date_words(day: date) -> str:
    """A date without its weekday: 14 August 2024. Thai's long form would name the era, which nobody does on a website."""
    return format_date(day, "d MMMM y" if current().tag == "th" else "long", locale=current().babel)


def day_words(moment: datetime, zone: ZoneInfo) -> str:
    """The day a moment falls on there: Tuesday 4 August 2026."""
    return format_skeleton("yMMMMEEEEd", moment.astimezone(zone), locale=_cldr()).replace(",", "")


def time_words(moment: datetime, zone: ZoneInfo) -> str:
    """The time on the clocks there: 15:00."""
    return f"{moment.astimezone(zone):%H:%M}"


def weekday_words(moment: datetime, zone: ZoneInfo) -> str:
    """The weekday there, short: Tue."""
    return format_skeleton("E", moment.astimezone(zone), locale=_cldr())


def both_clocks(moment: datetime, zone: ZoneInfo, host: ZoneInfo) -> str:
    """The reader's time and the host's, with their weekdays where these differ: Tue 00:30 Shanghai · Mon 17:30 London."""
    here, there = moment.astimezone(zone), moment.astimezone(host)
    if here.replace(tzinfo=None) == there.replace(tzinfo=None):
        return t("{time} {place}", time=time_words(moment, host), place=city(host))
    weekdays = here.date() != there.date()
    return " · ".join(_clock(moment, one, weekday=weekdays) for one in (zone, host))


def moment_words(moment: datetime, zone: ZoneInfo, host: ZoneInfo) -> str:
    """The reader's day with both clocks: Tuesday 4 August 2026, 15:00 Bangkok · 09:00 London."""
    return t("{day}, {clocks}", day=day_words(moment, zone), clocks=both_clocks(moment, zone, host))


def city(zone: ZoneInfo) -> str:
    """The place a zone is named after: London, ลอนดอน, 伦敦."""
    return city_name(zone.key, _cldr())


def offset_words(moment: datetime, zone: ZoneInfo) -> str:
    """How far clocks there are from UTC at that moment: UTC+07:00."""
    minutes = round((zone.utcoffset(moment.astimezone(zone)) or moment - moment).total_seconds() / 60)
    return f"UTC{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def clocks_change(moment: datetime, now: datetime, zone: ZoneInfo) -> bool:
    """Whether clocks there are put forward or back between now and that moment."""
    return moment.astimezone(zone).utcoffset() != now.astimezone(zone).utcoffset()


def _clock(moment: datetime, zone: ZoneInfo, *, weekday: bool) -> str:
    time, place = time_words(moment, zone), city(zone)
    if not weekday:
        return t("{time} {place}", time=time, place=place)
    return t("{weekday} {time} {place}", weekday=weekday_words(moment, zone), time=time, place=place)


def _cldr() -> Cldr:
    # Dates in English are British here: 4 August, not August 4.
    return Cldr("en", "GB") if current().tag == "en" else Cldr.parse(current().tag, sep="-")
