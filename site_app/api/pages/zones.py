"""The time zones a visitor can choose, by continent and city, with how far each is from UTC on that day."""

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from site_app.i18n import BY_ID, current, t, use
from site_app.i18n.clocks import city, offset_words
from site_app.i18n.places import places

Choice = tuple[str, str]
Group = tuple[str, tuple[Choice, ...]]


def zone_choices(moment: datetime, chosen: str) -> tuple[Group, ...]:
    """Groups of (name, words); the chosen zone is among them even if it is known by an old name."""
    groups = _groups(current().id, moment.replace(hour=12, minute=0, second=0, microsecond=0))
    if any(chosen == name for _, zones in groups for name, _ in zones):
        return groups
    return ((chosen.partition("/")[0], ((chosen, _words(chosen, moment)),)), *groups)


@lru_cache(maxsize=12)
def _groups(language: str, moment: datetime) -> tuple[Group, ...]:
    found: dict[str, list[Choice]] = defaultdict(list)
    with use(BY_ID[language]):
        for name, _ in places():
            found[name.partition("/")[0]].append((name, _words(name, moment)))
        groups = [(_REGIONS[region](), tuple(sorted(zones, key=lambda zone: zone[1]))) for region, zones in found.items()]
    return tuple(sorted(groups))


def _words(name: str, moment: datetime) -> str:
    zone = ZoneInfo(name)
    return t("{city} ({offset})", city=city(zone), offset=offset_words(moment, zone))


_REGIONS: dict[str, Callable[[], str]] = {
    "Africa": lambda: t("Africa"),
    "America": lambda: t("Americas"),
    "Antarctica": lambda: t("Antarctica"),
    "Arctic": lambda: t("Arctic"),
    "Asia": lambda: t("Asia"),
    "Atlantic": lambda: t("Atlantic Ocean"),
    "Australia": lambda: t("Australia"),
    "Europe": lambda: t("Europe"),
    "Indian": lambda: t("Indian Ocean"),
    "Pacific": lambda: t("Pacific Ocean"),
    "UTC": lambda: t("World time"),
}
