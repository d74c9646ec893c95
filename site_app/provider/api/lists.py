"""Countries and currencies, named and ordered in a language; made once per process."""

from functools import cache

import phonenumbers
from babel.numbers import get_currency_symbol

from site_app.contracts.codes import country_codes, currency_codes
from site_app.contracts.lists import Countries, Country, Currencies, Currency
from site_app.core.i18n import BY_ID, use
from site_app.core.i18n.collation import order
from site_app.core.i18n.names import cldr, country_name, currency_name


@cache
def countries(language: str) -> Countries:
    """Every country of ISO 3166 and Kosovo, with its dial code and flag."""
    with use(BY_ID[language]):
        listed = [
            Country(code=code, name=country_name(code), dial_code=_dial_code(code), flag=f"/flags/{code}.svg")
            for code in country_codes()
        ]
    return Countries(countries=sorted(listed, key=lambda country: order(language, country.name)))


@cache
def currencies(language: str) -> Currencies:
    """Every currency that is legal tender now."""
    with use(BY_ID[language]):
        listed = [
            Currency(code=code, name=currency_name(code), symbol=get_currency_symbol(code, locale=cldr()))
            for code in currency_codes()
        ]
    return Currencies(currencies=sorted(listed, key=lambda currency: order(language, currency.name)))


def _dial_code(country: str) -> str:
    number = phonenumbers.country_code_for_region(country)
    return f"+{number}" if number else ""
