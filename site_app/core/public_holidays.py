"""The public holidays of a country, or of a part of it, by year."""

from collections.abc import Mapping
from datetime import date
from functools import lru_cache

from holidays import country_holidays


@lru_cache(maxsize=64)
def holidays_of(region: str, year: int) -> Mapping[date, str]:
    """Returns the holidays of a region such as GB or GB-ENG with their names, in English where known. Without a region there are none."""
    if not region:
        return {}
    country, _, part = region.partition("-")
    languages = country_holidays(country, subdiv=part or None).supported_languages
    language = next((language for language in ("en_GB", "en_US") if language in languages), None)
    return dict(country_holidays(country, subdiv=part or None, years=year, language=language))
