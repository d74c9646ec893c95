"""Postal addresses, for readers of several languages."""

from functools import cache

from babel import Locale as Cldr

from site_app.i18n.locale import ENGLISH, current


def in_local_words(address: str) -> str:
    """The address with its country, its last part, in the language being written; all before it is for the post over there."""
    street, _, country = address.rpartition(",")
    code = _codes().get(country.strip())
    if current() is ENGLISH or code is None:
        return address
    local = Cldr.parse(current().babel)
    comma = "，" if local.language == "zh" else ", "  # a Chinese word takes a full-width mark
    return f"{street}{comma}{local.territories[code]}"


@cache
def _codes() -> dict[str, str]:
    return {name: code for code, name in Cldr("en").territories.items()}
