"""What places on the maps of the time zone database are called in the language being written."""

from collections.abc import Mapping
from functools import cache

from babel import Locale as Cldr
from babel.core import get_global

# What the Unicode consortium's table does not name, or by another name than the one people write.
_OURS: Mapping[str, Mapping[str, str]] = {
    "th": {
        "America/Atikokan": "อะทิโคแกน",
        "America/Coyhaique": "โกยไฮเก",
        "America/Nuuk": "นุก",
        "Asia/Bangkok": "กรุงเทพฯ",  # กรุงเทพ without the sign is what one says, not what one writes
        "Pacific/Chuuk": "ชุก",
        "Pacific/Pohnpei": "โปนเป",
        "Etc/UTC": "กรีนิช",
    },
    "zh": {
        "America/Coyhaique": "科伊艾克",
        "Asia/Shanghai": "北京、上海",  # the zone is called Shanghai, its time 北京时间
        "Pacific/Chuuk": "丘克",
        "Pacific/Pohnpei": "波恩佩",
        "Etc/UTC": "格林尼治",
    },
}


@cache
def city_name(zone: str, locale: str) -> str:
    """The city, or where the language has no name for it the zone's own."""
    cldr, today = Cldr.parse(locale), get_global("zone_aliases").get(zone, zone)
    if ours := _OURS.get(cldr.language, {}).get(today):
        return ours
    # The table files some cities under the zone's first name, which never changes: Asia/Calcutta for Kolkata.
    names = (today, *_earlier_names().get(today, ()))
    known = (cldr.time_zones.get(name, {}).get("city", "") for name in names)
    return next(filter(None, known), "") or zone.rpartition("/")[2].replace("_", " ")


@cache
def _earlier_names() -> Mapping[str, tuple[str, ...]]:
    names: dict[str, tuple[str, ...]] = {}
    for earlier, today in get_global("zone_aliases").items():
        names[today] = (*names.get(today, ()), earlier)
    return names
