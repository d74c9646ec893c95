"""The phone input as Python sees it."""

import json
import re
from pathlib import Path

import phonenumbers
import pytest

from components.phone_input import WORDS, phone_input

AREA_CODES = Path(__file__).parents[2] / "components/phone_input/area_codes.js"
TAILS = ("2345678", "5012345", "1234567", "9123456", "0123456", "6012345", "3012345", "8012345", "7012345", "4012345")


def area_codes() -> list[tuple[str, str]]:
    rows = re.findall(r'^  ([A-Z]{2}): "([0-9 ]+)",$', AREA_CODES.read_text(), re.MULTILINE)
    return [(country, code) for country, codes in rows for code in codes.split()]


def test_every_area_code_leads_to_its_country():
    rows = area_codes()

    assert len({country for country, _ in rows}) == 37
    assert [row for row in rows if not leads(*row)] == []


def leads(country: str, code: str) -> bool:
    """Whether some number that begins so is valid, and in no other country than this."""
    calling_code = phonenumbers.country_code_for_region(country)
    texts = [f"+{calling_code}{code}{tail[:length]}" for tail in TAILS for length in range(1, 8)]
    examples = [phonenumbers.example_number_for_type(country, kind) for kind in (0, 1)]
    numbers = [phonenumbers.parse(text) for text in texts] + [one for one in examples if one]
    found = {
        phonenumbers.region_code_for_number(number)
        for number in numbers
        if phonenumbers.national_significant_number(number).startswith(code) and phonenumbers.is_valid_number(number)
    }
    return country in found and found <= {country}


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
