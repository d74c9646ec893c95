"""What currencies are called in the language being written."""

from collections.abc import Mapping

from babel import Locale as Cldr

# Those too young for the Unicode consortium's tables of a language.
_OURS: Mapping[str, Mapping[str, str]] = {
    "th": {"XCG": "กิลเดอร์แคริบเบียน", "ZWG": "โกลด์ซิมบับเว"},
    "zh": {"XCG": "加勒比盾", "ZWG": "津巴布韦金"},
}


def currency_name(code: str, cldr: Cldr) -> str:
    """The currency in that language; one it has no name for goes by its English one."""
    ours = _OURS.get(cldr.language, {})
    return ours.get(code) or cldr.currencies.get(code) or Cldr("en").currencies.get(code, code)
