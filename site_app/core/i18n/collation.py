"""The order of names in a language, by the standard library alone."""

import re
import unicodedata
from typing import Any

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
