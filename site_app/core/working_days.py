"""The days on which the agency works: not at weekends, on public holidays and on its days off."""

from collections.abc import Mapping
from datetime import date, timedelta
from functools import lru_cache

from holidays import country_holidays

from site_app.core.settings import Settings
from site_app.core.settings.rules import dates_of

_SATURDAY = 5  # as date.weekday() counts


@lru_cache(maxsize=64)
def holidays_of(region: str, year: int) -> Mapping[date, str]:
    """Returns the holidays of a region such as GB or GB-ENG with their names, in English where known. Without a region there are none."""
    if not region:
        return {}
    country, _, part = region.partition("-")
    languages = country_holidays(country, subdiv=part or None).supported_languages
    language = next((language for language in ("en_GB", "en_US") if language in languages), None)
    return dict(country_holidays(country, subdiv=part or None, years=year, language=language))


def working_day_after(day: date, count: int, settings: Settings) -> date:
    """Returns the day that is so many working days after this one."""
    days_off = {day_off for text in settings.booking_days_off for day_off in dates_of(text)}
    while count:
        day += timedelta(days=1)
        is_closed = day.weekday() >= _SATURDAY or day in days_off or day in holidays_of(settings.booking_holidays, day.year)
        count -= not is_closed
    return day
