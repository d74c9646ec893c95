"""Names of countries, currencies and cities in the current language, from the CLDR tables, and how names are sorted."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

from babel import Locale as Cldr
from babel.core import get_global

from site_app.core.i18n.locale import ENGLISH, current

# Currencies too young for the tables, and cities that they do not name, or by a name that is no longer used.
_OWN_NAMES: Mapping[str, Mapping[str, str]] = {
    "th": {
        "XCG": "กิลเดอร์แคริบเบียน",
        "ZWG": "โกลด์ซิมบับเว",
        "America/Atikokan": "อะทิโคแกน",
        "America/Coyhaique": "โกยไฮเก",
        "America/Nuuk": "นุก",
        "Asia/Bangkok": "กรุงเทพฯ",  # without the last sign it is what one says, not what one writes
        "Pacific/Chuuk": "ชุก",
        "Pacific/Pohnpei": "โปนเป",
        "Etc/UTC": "กรีนิช",
    },
    "zh": {
        "XCG": "加勒比盾",
        "ZWG": "津巴布韦金",
        "America/Coyhaique": "科伊艾克",
        "Asia/Shanghai": "北京、上海",  # the zone is called Shanghai, its time 北京时间
        "Pacific/Chuuk": "丘克",
        "Pacific/Pohnpei": "波恩佩",
        "Etc/UTC": "格林尼治",
    },
}


def cldr() -> Cldr:
    """The tables of the language being written."""
    return _tables(current().babel)


def country_name(code: str) -> str:
    """The country's name; a code that the tables do not have stands for itself."""
    return cldr().territories.get(code, code)


def currency_name(code: str) -> str:
    """The currency's name; one that the language has no name for goes by its English one."""
    own_names = _OWN_NAMES.get(cldr().language, {})
    return own_names.get(code) or cldr().currencies.get(code) or _tables("en").currencies.get(code, code)


def city_name(zone: str) -> str:
    """The city that a time zone is named after, or where the language has no name for it the zone's own."""
    return _city(zone, current().babel)


def in_local_words(address: str) -> str:
    """The address with its country, which is its last part, in the language being written; the rest stays as the post there reads it."""
    street, _, country = address.rpartition(",")
    code = _codes().get(country.strip())
    comma = "，" if cldr().language == "zh" else ", "  # a Chinese word takes a full-width mark
    return address if current() is ENGLISH or code is None else f"{street}{comma}{country_name(code)}"


@cache
def _city(zone: str, locale: str) -> str:
    tables, today = _tables(locale), get_global("zone_aliases").get(zone, zone)
    if own_name := _OWN_NAMES.get(tables.language, {}).get(today):
        return own_name
    # The tables file some cities under the zone's first name, which never changes: Asia/Calcutta for Kolkata.
    names = (today, *_earlier_names().get(today, ()))
    names_in_table = (tables.time_zones.get(name, {}).get("city", "") for name in names)
    return next(filter(None, names_in_table), "") or zone.rpartition("/")[2].replace("_", " ")


@cache
def _earlier_names() -> Mapping[str, tuple[str, ...]]:
    names: dict[str, tuple[str, ...]] = {}
    for earlier, today in get_global("zone_aliases").items():
        names[today] = (*names.get(today, ()), earlier)
    return names


@cache
def _codes() -> dict[str, str]:
    return {name: code for code, name in _tables("en").territories.items()}


@cache
def _tables(locale: str) -> Cldr:
    return Cldr.parse(locale)


# A Thai vowel written before its consonant is sorted after it; tone marks only break ties (Royal Institute's rules).
_THAI_LEADING = re.compile("([เแโใไ])([ก-ฮ])")
_THAI_MARKS = dict.fromkeys(map(ord, "็่้๊๋์ํ๎"))

# GB 2312 lists its 3,755 common characters by pinyin, so its bytes are the order. The rarer ones in names of countries
# and currencies stand in for a common one of the same sound; 秘 is bì in Peru's name, mì elsewhere.
_SAME_SOUND = str.maketrans({"斐": "匪", "汶": "问", "瑙": "脑", "梵": "饭", "铢": "朱"})


def order(language: str, name: str) -> Any:
    """A key to sort names of that language by."""
    return _ORDERS.get(language, _latin)(name)


def _latin(name: str) -> tuple[str, str]:
    letters = (mark for mark in unicodedata.normalize("NFKD", name.casefold()) if mark.isalnum() or mark.isspace())
    return "".join(letters), name


def _thai(name: str) -> tuple[str, str]:
    return _THAI_LEADING.sub(r"\2\1", name.translate(_THAI_MARKS)), name


def _chinese(name: str) -> tuple[bytes, str]:
    return name.replace("秘鲁", "必鲁").translate(_SAME_SOUND).encode("gb2312", "replace"), name


_ORDERS = {"th": _thai, "cn": _chinese}
