"""The phone input as Python sees it."""

import json
import random
from pathlib import Path

import phonenumbers
import pytest

from components.phone_input import WORDS, phone_input

AREA_CODES = Path(__file__).parents[2] / "components/phone_input/area_codes.json"
chance = random.Random(1)
TAILS = [f"{chance.randrange(10**12):012}" for _ in range(300)]


def area_codes() -> list[tuple[str, str]]:
    return [(country, code) for country, codes in json.loads(AREA_CODES.read_text()).items() for code in codes.split()]


def test_every_area_code_leads_to_its_country():
    assert [row for row in area_codes() if not leads(*row)] == []


def leads(country: str, code: str) -> bool:
    """Whether numbers that begin so are valid, and in no other country than this."""
    calling_code = phonenumbers.country_code_for_region(country)
    lengths = {len(phonenumbers.national_significant_number(one)) for kind in (0, 1) if (one := _example(country, kind))}
    numbers = (phonenumbers.parse(f"+{calling_code}{(code + tail)[:length]}") for tail in TAILS for length in lengths)
    return {phonenumbers.region_code_for_number(number) for number in numbers if phonenumbers.is_valid_number(number)} == {
        country
    }


def _example(country: str, kind: int) -> phonenumbers.PhoneNumber | None:
    return phonenumbers.example_number_for_type(country, kind)


def test_a_countrys_main_number_is_nobodys_area_code():
    main = {country for country, _ in area_codes()} & {
        phonenumbers.region_code_for_country_code(code) for code in phonenumbers.COUNTRY_CODE_TO_REGION_CODE
    }

    assert main == set()


def test_the_words_need_only_name_what_differs():
    props = phone_input(words={"country": "ประเทศ"}).render()["props"]

    (words,) = [prop for prop in props if prop.startswith("words:")]
    assert json.dumps("ประเทศ") in words
    assert WORDS["list"] in words


def test_a_word_nobody_says_is_refused():
    with pytest.raises(ValueError, match="greeting"):
        phone_input(words={"greeting": "Hello"})
