"""The codes of countries, currencies, languages and time zones a visitor may choose."""

from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Annotated
from zoneinfo import available_timezones

import pycountry
from babel.core import get_global
from pydantic import AfterValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from site_app.contracts.input import Input
from site_app.core.i18n import BY_ID

_ENDED = {"BGN": (2026, 1, 31)}  # Bulgaria's euro is younger than the table
KOSOVO = "XK"  # not in ISO 3166, but people live, phone and pay there


@cache
def country_codes() -> frozenset[str]:
    return frozenset(country.alpha_2 for country in pycountry.countries) | {KOSOVO}


@cache
def currency_codes(today: date | None = None) -> frozenset[str]:
    """What is legal tender somewhere on that day, by the Unicode consortium's table."""
    day = today or date.today()  # noqa: DTZ011  a day more or less does not matter to a currency
    now = (day.year, day.month, day.day)
    return frozenset(
        code
        for uses in get_global("territory_currencies").values()
        for code, since, until, tender in uses
        if tender and (since or now) <= now <= min(until or now, _ENDED.get(code, now))
    )


@cache
def time_zones() -> frozenset[str]:
    return frozenset(name for name in available_timezones() if name != "localtime")


def _one_of(known: Callable[[], frozenset[str]]) -> AfterValidator:
    def check(code: str) -> str:
        if code not in known():
            raise PydanticCustomError("unknown_choice", "Not one of the choices")
        return code

    return AfterValidator(check)


CountryCode = Annotated[
    str, _one_of(country_codes), Input("country"), WithJsonSchema({"type": "string", "pattern": "^[A-Z]{2}$"})
]
CurrencyCode = Annotated[
    str, _one_of(currency_codes), Input("currency"), WithJsonSchema({"type": "string", "pattern": "^[A-Z]{3}$"})
]
LanguageId = Annotated[str, _one_of(lambda: frozenset(BY_ID)), WithJsonSchema({"type": "string", "enum": sorted(BY_ID)})]
TimeZone = Annotated[
    str, _one_of(time_zones), WithJsonSchema({"type": "string", "maxLength": 64, "examples": ["Europe/London"]})
]
