"""The lists are complete, named, and sorted as the language sorts."""

from datetime import date

import pytest

from site_app.contracts.fields import currency_codes
from site_app.core.locales import BY_ID
from site_app.provider.api.calls import countries_in, currencies_in


@pytest.mark.parametrize("language", BY_ID)
def test_every_country_has_a_name_of_its_own(language: str) -> None:
    listed = countries_in(language).countries

    names = [country.name for country in listed]
    assert len(listed) == 250
    assert all(names)
    assert len(set(names)) == len(names)
    assert {country.code: country.dial_code for country in listed}["XK"] == "+383"


@pytest.mark.parametrize("language", BY_ID)
def test_every_currency_has_a_name_and_a_symbol(language: str) -> None:
    currencies = currencies_in(language).currencies

    assert currencies
    assert all(currency.name and currency.symbol for currency in currencies)


@pytest.mark.parametrize(
    ("language", "codes"),
    [
        ("en", ["AF", "AX", "AL", "DZ"]),  # Åland sorts under A
        ("th", ["KR", "KP", "KW", "KE"]),  # เกาหลีใต้ and its neighbours sort under ก
        ("cn", ["BG", "PE", "IS"]),  # 秘鲁 is read Bilu
    ],
)
def test_names_stand_in_the_order_of_the_language(language: str, codes: list[str]) -> None:
    order = [country.code for country in countries_in(language).countries]

    assert sorted(codes, key=order.index) == codes


def test_chinese_names_of_rare_characters_stand_by_their_sound() -> None:
    order = [country.name for country in countries_in("cn").countries]

    assert order.index("法国") < order.index("梵蒂冈") < order.index("芬兰")
    assert order.index("南非") < order.index("瑙鲁") < order.index("尼泊尔")


def test_only_current_money_is_offered() -> None:
    assert {"GBP", "THB", "CNY", "EUR", "ZWG"} <= currency_codes(date(2026, 11, 21))
    assert not {"DEM", "HRK", "BGN", "ZWL"} & currency_codes(date(2026, 11, 21))
