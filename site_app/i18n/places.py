"""The time zones a visitor can choose: one for each place on the maps of the time zone database, without its old names."""

from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from site_app.i18n.clocks import city


@cache
def places() -> tuple[tuple[str, str], ...]:
    """Each zone with the country it is in; world time is in none."""
    table = (files("tzdata") / "zoneinfo" / "zone.tab").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    return (*((row[2], row[0]) for row in rows), ("UTC", ""))


def named_places() -> list[list[str]]:
    """Rows of zone, country and, where the zone's own name is not what people here call it, the city."""
    return [_row(zone, country) for zone, country in places()]


def _row(zone: str, country: str) -> list[str]:
    here = city(ZoneInfo(zone))
    return [zone, country] if here == zone.rpartition("/")[2].replace("_", " ") else [zone, country, here]
