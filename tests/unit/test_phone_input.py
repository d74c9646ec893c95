"""The phone input without a browser: the Python side, and its own modules run by node."""

import json
import random
from pathlib import Path
from typing import Any

import phonenumbers
import pytest

from components.phone_input import WORDS, phone_input
from tests.support.builders import PHONE_PAYLOAD
from tests.unit.phone_corpus.compare import DIFFERENCES, differences, engine
from tests.unit.phone_corpus.numbers import cases

AREA_CODES = Path(__file__).parents[2] / "components/phone_input/area_codes.json"
chance = random.Random(1)
TAILS = [f"{chance.randrange(10**12):012}" for _ in range(300)]


def area_codes() -> list[tuple[str, str]]:
    return [(country, code) for country, codes in json.loads(AREA_CODES.read_text()).items() for code in codes.split()]


def test_every_area_code_leads_to_its_country() -> None:
    assert [row for row in area_codes() if not leads(*row)] == []


def leads(country: str, code: str) -> bool:
    """Returns True if numbers with this prefix are valid in this country and in no other."""
    calling_code = phonenumbers.country_code_for_region(country)
    lengths = {
        len(phonenumbers.national_significant_number(example))
        for kind in (0, 1)
        if (example := phonenumbers.example_number_for_type(country, kind))
    }
    numbers = (phonenumbers.parse(f"+{calling_code}{(code + tail)[:length]}") for tail in TAILS for length in lengths)
    return {phonenumbers.region_code_for_number(number) for number in numbers if phonenumbers.is_valid_number(number)} == {
        country
    }


def test_no_main_country_of_a_code_has_area_codes() -> None:
    main = {country for country, _ in area_codes()} & {
        phonenumbers.region_code_for_country_code(code) for code in phonenumbers.COUNTRY_CODE_TO_REGION_CODE
    }

    assert main == set()


def test_given_words_replace_single_defaults() -> None:
    props = phone_input(words={"country": "ประเทศ"}).render()["props"]

    (words,) = [prop for prop in props if prop.startswith("words:")]
    assert json.dumps("ประเทศ") in words
    assert WORDS["list"] in words


def test_an_unknown_word_is_refused() -> None:
    with pytest.raises(ValueError, match="greeting"):
        phone_input(words={"greeting": "Hello"})


def test_browser_and_server_differ_only_on_the_few_listed_numbers() -> None:
    corpus = cases()
    _, *listed = DIFFERENCES.read_text().splitlines()

    mismatches = differences(corpus)

    assert mismatches == listed, "python -m tests.unit.phone_corpus.compare writes the list anew"
    assert len(mismatches) <= len(corpus) * 0.005


def test_the_engine_returns_the_results_of_the_table() -> None:
    results = engine(call for call, _ in TABLE)

    assert [(call, result) for (call, expected), result in zip(TABLE, results, strict=True) if result != expected] == []


US, ONLY = {"region": "US"}, {"validCharactersOnly": True}
NOTHING = dict.fromkeys(PHONE_PAYLOAD, None) | {"formatted": ""}
LONG = "020 7946 0958 ext. 12345678901234567890"
FAILED: list[Any] = [None, ["unable to fetch the country"]]
# Each call of engine.mjs with its expected result.
TABLE: list[tuple[list[Any], Any]] = [
    # valid numbers are formatted
    (["format", "2133734253", US], "(213) 373-4253"),
    (["format", "+12133734253", US], "+1 213 373 4253"),
    (["format", "12133734253", US], "(213) 373-4253"),
    (["format", "+442079460958", {"mode": "national"}], "020 7946 0958"),
    (["format", "02079460958", {"mode": "international"}], "+44 20 7946 0958"),
    (["format", "2133734253x123", US], "(213) 373-4253 ext. 123"),
    (["format", "๐๘๑๒๓๔๕๖๗๘", {"region": "TH"}], "081 234 5678"),
    (["format", "00442079460958", {}], "020 7946 0958"),
    (["format", "020.7946.0958", {}], "020 7946 0958"),
    (["format", "+44 (0)20 7946 0958", {}], "+44 20 7946 0958"),
    (["format", "+442079460958", {"region": "TH", "only": ["TH"]}], "+442079460958"),
    # one option includes countries, the other excludes them; the first wins
    *((["parse", "+66812345678", "GB", only, ignored], e164) for only, ignored, e164 in [
        (["GB", "US"], [], None), ([], ["TH"], None), (["TH"], ["TH"], ["+66812345678", "", "TH"])
    ]),
    # a refused number has a reason
    *((["verdict", text, "GB"], reason) for text, reason in [
        ("", "too_short"), ("02079", "too_short"), ("020 7946 0958 09", "too_long"), ("+999 1234 5678", "invalid_country"),
    ]),
    # never longer than the input's maximum length
    (["format", "+442079460958x1234", {}], "+442079460958x1234"),
    (["format", "+442079460958", {"maxLength": 15}], "+442079460958"),
    # a pasted text is searched for its number
    (["paste", "Tel: +44 (0)20 7946 0958 x12", {}], "+44 20 7946 0958 ext. 12"),
    (["paste", "Please call 020 7946 0958, thank you", {}], "020 7946 0958"),
    (["paste", "020 7946 0958 / 020 7946 0959", {}], "020 7946 0958"),
    (["paste", "Tel. 020 7946 0958 (9am-5pm)", {}], "020 7946 0958"),
    # a field that holds more than the number stays as it was typed
    *((["format", text, {}], text) for text in ("02079460958 / 02079460959", "02079460958 (9am-5pm)")),
    (["paste", "\u202a+44 20 7946 0958\u202c", {}], "+44 20 7946 0958"),
    (["paste", "＋１ ２１３ ３７３ ４２５３", US], "+1 213 373 4253"),
    (["paste", "Tel: +44 (0)20 7946 0958 x12", ONLY], "+44 20 7946 0958"),
    (["paste", "no number at all", ONLY], "   "),
    (["paste", "no number at all, only words", {}], "no number at all, only wo"),
    (["paste", "x" * 250 + "020 7946 0958", {}], "x" * 25),
    (["paste", LONG.replace(" ext. ", ";ext="), {}], LONG),
    *((["paste", text, {}], text) for text in ("+442079460958;1234567890123456", "+442079460958 x1234567890")),
    (["strip", "a1b2(3)-+ 4"], "12(3)-+ 4"),
    (["caret", "(213) 3734253", 8, "(213) 373-4253"], 8),
    # what a field shows after changes: its text, its country, and whether the number is valid
    (["state", "US", {"text": "2133734253"}], ["(213) 373-4253", "US", True]),
    (["state", "US", {"text": "2133734253", "format": "never"}], ["2133734253", "US", True]),
    (["state", "US", {"text": "2133734253", "format": "never"}, {"text": "2133734253", "format": "always"}], ["(213) 373-4253", "US", True]),
    (["state", "US", {"text": "2133734253"}, {"text": "(213) 373-42531", "typed": "21337342531"}], ["21337342531", "US", False]),
    (["state", "US", {"text": "+66812345678"}], ["+66 81 234 5678", "TH", True]),
    (["state", "US", {"text": "+66"}], ["+66", "TH", False]),
    (["state", "US", {"isManual": True}, {"text": "+66812345678"}], ["+66 81 234 5678", "US", True]),
    (["state", "GB", {"text": "020 7946"}, {"text": ""}], ["", "GB", None]),
    # reports to the server
    (["payload", "2133734253 ext. 123", US], PHONE_PAYLOAD),
    (["payload", "", {}], NOTHING),
    (["payload", "02079", {}], NOTHING | {"country": "GB", "formatted": "02079", "valid": False, "possible": False, "nationalNumber": "02079", "countryCode": "GB", "verdict": "too_short"}),
    # the list is searched by any of a country's names, and by typing ahead
    (["typeAhead", "thai"], ["Thailand"]),
    (["typeAhead", "THAI"], ["Thailand"]),
    (["typeAhead", "united a"], ["United Arab Emirates"]),
    (["typeAhead", "aland"], ["Åland Islands"]),
    (["typeAhead", "emir"], ["United Arab Emirates"]),
    (["typeAhead", "z", "zz", "zzz"], ["Zambia", "Zimbabwe", "Zambia"]),
    *((["best", text], country) for country, texts in {
        "United Kingdom": ("uk", "kingdom"), "United States": ("USA",), "United Arab Emirates": ("uae",), "Netherlands": ("holland",),
        "Thailand": ("th", "ไทย", "泰国", "+66"), "Hong Kong": ("852",), "Åland Islands": ("aland",),
    }.items() for text in texts),
    (["search", "Atlantis"], []),
    # a default is a two-letter code or a dial code; other values give no country
    (["countryByCode", "FR", {}], "FR"),
    (["countryByCode", "1", {}], "US"),
    (["countryByCode", "+44", {}], "GB"),
    (["countryByCode", "nowhere", {}], None),
    (["countryByCode", "TH", {"only": ["US", "FR"]}], None),
    (["countryByCode", "TH", {"ignored": ["TH"]}], None),
    (["countryOfDigits", "66"], "TH"),
    # only a clear answer of the lookup gives a country, and never Afghanistan
    (["lookUp", "1;TH;THA;Thailand"], ["TH", []]),  # codespell:ignore tha
    *((["lookUp", text], FAILED) for text in ("0;;;", "1;ZZ;ZZZ;Reserved", "2;;;", "", "<html>", "1;", "1;T")),
]  # fmt: skip
