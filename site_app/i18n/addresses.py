"""Postal addresses, for readers of several languages."""

from functools import cache

from babel import Locale as Cldr

from site_app.i18n.locale import ENGLISH, current


def in_local_words(address: str) -> str:
    """The address with its country, its last part, in the language being written; all before it is for the post over there."""
    street, comma, country = address.rpartition(",")
    code = _codes().get(country.strip())
    if current() is ENGLISH or code is None:
        return address
    return f"{street}{comma} {Cldr.parse(current().babel).territories[code]}"


@cache
def _codes() -> dict[str, str]:
    return {name: code for code, name in Cldr("en").territories.items()}
