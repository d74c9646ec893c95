"""Names of countries, currencies and cities in the current language, from the CLDR tables, and the sort order of names."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

from babel import Locale as Cldr
from babel.core import get_global

from site_app.core.i18n.current_locale import current
from site_app.core.i18n.translate import t
from site_app.core.locales import BY_ID, ENGLISH

# Currencies too new for the tables, and cities that the tables lack or list under an outdated name.
_OWN_NAMES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "America/Bogota": "Bogotá",
        "America/Sao_Paulo": "São Paulo",
        "Asia/Shanghai": "Beijing and Shanghai",  # the zone is named after Shanghai, but its time is called Beijing time
        "Europe/Tirane": "Tirana",
    },
    "th": {
        "XCG": "กิลเดอร์แคริบเบียน",
        "ZWG": "โกลด์ซิมบับเว",
        "Africa/Nairobi": "ไนโรบี",
        "America/Atikokan": "อะทิโคแกน",
        "America/Coyhaique": "โกยไฮเก",
        "America/Nuuk": "นุก",
        "Asia/Bangkok": "กรุงเทพฯ",  # the written form; without the last character it is the spoken form
        # spelt like their countries, beside which they stand
        "America/Grenada": "เกรเนดา",
        "America/Puerto_Rico": "เปอร์โตริโก",
        "Indian/Comoro": "คอโมโรส",
        "Pacific/Chuuk": "ชุก",
        "Pacific/Pohnpei": "โปนเป",
        "Etc/UTC": "UTC",  # the tables say Greenwich, whose clocks change in summer
    },
    "zh": {
        "XCG": "加勒比盾",
        "ZWG": "津巴布韦金",
        "America/Coyhaique": "科伊艾克",
        "America/Dominica": "多米尼克",
        "Asia/Shanghai": "北京、上海",  # the zone is named after Shanghai, but its time is called 北京时间
        "Pacific/Chuuk": "丘克",
        "Pacific/Pohnpei": "波恩佩",
        "Etc/UTC": "UTC",
    },
}
_ZONE_OF_OFFSET = re.compile(r"Etc/GMT([+-])([1-9]\d?)")  # its sign, that of POSIX, is the opposite of what people read


def cldr() -> Cldr:
    """Returns the CLDR tables of the current language."""
    return _tables(current().babel)


def country_name(code: str) -> str:
    """Returns the country's name, or the code if the tables lack it."""
    return cldr().territories.get(code, code)


def language_name(language: str) -> str:
    """Returns the name of a language of the site in the current language."""
    tag = BY_ID[language].tag.partition("-")[0]
    return cldr().languages.get(tag, tag)


def currency_name(code: str) -> str:
    """Returns the currency's name, in English if the language has none."""
    own_names = _OWN_NAMES.get(cldr().language, {})
    return own_names.get(code) or cldr().currencies.get(code) or _tables("en").currencies.get(code, code)


def city_name(zone: str) -> str:
    """Returns the city of a time zone, or the zone's own name if the language has no name for it; UTC+03:00 for Etc/GMT-3."""
    if offset := _ZONE_OF_OFFSET.fullmatch(zone):
        return f"UTC{'+' if offset[1] == '-' else '-'}{int(offset[2]):02}:00"
    return _city(zone, current().babel)


def in_local_words(address: str) -> str:
    """Translates the country, the last part of an address; leaves the rest as it is, for the local post."""
    street, _, country = address.rpartition(",")
    code = _codes().get(country.strip())
    comma = "，" if cldr().language == "zh" else ", "  # Chinese uses a full-width comma
    return address if current() is ENGLISH or code is None else f"{street}{comma}{country_name(code)}"


@cache
def _city(zone: str, locale: str) -> str:
    tables = _tables(locale)
    current_zone = get_global("zone_aliases").get(zone, zone)
    if own_name := _OWN_NAMES.get(tables.language, {}).get(current_zone):
        return own_name
    # The tables list some cities under the zone's original name, which never changes: Asia/Calcutta for Kolkata.
    names = (current_zone, *_earlier_names().get(current_zone, ()))
    names_in_table = (tables.time_zones.get(name, {}).get("city", "") for name in names)
    return next(filter(None, names_in_table), "") or zone.rpartition("/")[2].replace("_", " ")


@cache
def _earlier_names() -> Mapping[str, tuple[str, ...]]:
    names: dict[str, tuple[str, ...]] = {}
    for earlier, current_zone in get_global("zone_aliases").items():
        names[current_zone] = (*names.get(current_zone, ()), earlier)
    return names


@cache
def _codes() -> dict[str, str]:
    return {name: code for code, name in _tables("en").territories.items()}


@cache
def _tables(locale: str) -> Cldr:
    return Cldr.parse(locale)


# Thai sorts a vowel written before its consonant after it; tone marks only break ties (Royal Institute's rules).
_THAI_LEADING = re.compile("([เแโใไ])([ก-ฮ])")
_THAI_MARKS = dict.fromkeys(map(ord, "็่้๊๋์ํ๎"))

# GB 2312 orders its 3,755 common characters by pinyin, so their bytes give the sort order. Rarer characters in names of countries
# and currencies are replaced with a common one of the same sound; 秘 is bì in Peru's name, mì elsewhere.
_SAME_SOUND = str.maketrans({"斐": "匪", "汶": "问", "瑙": "脑", "梵": "饭", "铢": "朱"})


def sort_key(language: str, name: str) -> Any:
    """Returns a sort key for names in that language."""
    return _SORT_KEYS.get(language, _latin)(name)


def _latin(name: str) -> tuple[str, str]:
    letters = (mark for mark in unicodedata.normalize("NFKD", name.casefold()) if mark.isalnum() or mark.isspace())
    return "".join(letters), name


def _thai(name: str) -> tuple[str, str]:
    return _THAI_LEADING.sub(r"\2\1", name.translate(_THAI_MARKS)), name


def _chinese(name: str) -> tuple[bytes, str]:
    return name.replace("秘鲁", "必鲁").translate(_SAME_SOUND).encode("gb2312", "replace"), name


_SORT_KEYS = {"th": _thai, "cn": _chinese}


def part_of_the_kingdom(name: str) -> str:
    """Returns a British company's place of registration in the current language."""
    return _PARTS[name]() if name in _PARTS else name


def region_name(code: str) -> str:
    """Returns the name of a country or of a part of the United Kingdom such as GB-ENG; for parts of other countries, the country's."""
    part = _PART_CODES.get(code)
    return part_of_the_kingdom(part) if part else country_name(code.partition("-")[0])


_PART_CODES = {"GB-ENG": "England", "GB-WLS": "Wales", "GB-SCT": "Scotland", "GB-NIR": "Northern Ireland"}
_PARTS = {
    "England": lambda: t("England"),
    "England and Wales": lambda: t("England and Wales"),
    "Wales": lambda: t("Wales"),
    "Scotland": lambda: t("Scotland"),
    "Northern Ireland": lambda: t("Northern Ireland"),
}
