"""The time zones that a visitor can choose: each place in the time zone database once, without its old names."""

from datetime import datetime
from functools import cache, lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from site_app.core.i18n.clocks import offset_words
from site_app.core.i18n.collation import order
from site_app.core.i18n.locale import BY_ID, current, use
from site_app.core.i18n.names import city_name, country_name
from site_app.core.i18n.words import t


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
    here, where, offset = city_name(zone), country_name(country), offset_words(moment, clock)
    if not where or where == here:
        return t("{city} ({offset})", city=here, offset=offset)
    return t("{city}, {country} ({offset})", city=here, country=where, offset=offset)


@cache
def _zone(name: str) -> ZoneInfo:
    """Cached, because ZoneInfo caches eight: reading the files of all takes 30 ms, and a visitor can ask for one day after another."""
    return ZoneInfo(name)
