"""Attribution has known names, is bounded and clean, and never causes a refusal."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote_plus, urlencode

import pytest

from site_app.contracts.attribution import (
    CODE_LENGTH,
    MARKS,
    MAX_LENGTH_IN_ADDRESS,
    MAX_VALUE_LENGTH,
    NAMES,
    attribution_of_query,
    clean_attribution,
    shorten_for_address,
)
from site_app.contracts.input import SPOKEN_ALPHABET
from site_app.contracts.kinds.message import Message
from site_app.core import ROOT
from tests.support.builders import message


def test_a_query_string_and_an_object_give_the_same_attribution() -> None:
    query = "utm_source=newsletter&ref=ADA&referrer=News.example.com&landing_page=%2Ffaq"
    names = {"utm_source": "newsletter", "ref": "ADA", "referrer": "news.example.com", "landing_page": "/faq"}

    assert clean_attribution(query) == clean_attribution(names) == names


@pytest.mark.parametrize(
    "value",
    [
        None, 7, True, [], "gclid=1&fbclid=2&email=ada%40example.com", {"utm_source": 1, "ref": None, "utm_term": ["x"]},
        "referrer=https%3A%2F%2Fa.example%2Fprivate%3Fq", {"landing_page": "//evil.example"}, {"landing_page": "/a?token=1"},
        {"referrer": "a b"}, "&" * 9000, "utm_source=" + "x" * 9000, "&".join(["a=1"] * 80), {"utm_source": "\u202e\x00 "},
    ],
)  # fmt: skip
def test_unknown_or_unusable_attribution_becomes_empty(value: Any) -> None:
    assert Message.model_validate(message(attribution=value)).attribution == {}


def test_values_are_cleaned_and_bounded() -> None:
    cleaned = clean_attribution({"utm_source": " a\r\nb\u202e ", "utm_term": "x" * 500, "ref": "\ud800"})

    assert cleaned == {"utm_source": "a b", "utm_term": "x" * MAX_VALUE_LENGTH, "ref": "?"}


@pytest.mark.parametrize("typed", ["A2C3D4E5", "a2c3d4e5", " a2C3d4E5 "])
def test_a_partners_code_is_one_source_in_capitals_or_small_letters(typed: str) -> None:
    assert clean_attribution({"ref": typed}) == {"ref": "A2C3D4E5"}


def test_attribution_does_not_change_the_content_of_a_submission() -> None:
    payload = message()

    assert (
        Message.model_validate(payload | {"attribution": "ref=A"}).content_json()
        == Message.model_validate(payload).content_json()
    )


@pytest.mark.parametrize(
    ("is_private", "expected"),
    [(False, "utm_source=x&ref=A2C3D4E5&landing_page=%2Fth%2Fcontact-us"), (True, "ref=A2C3D4E5")],
)
def test_the_query_of_a_plain_page_counts(is_private: bool, expected: str) -> None:
    query = "gclid=1&ref=A2C3D4E5&utm_source=x&referrer=forged.example"

    assert attribution_of_query(query, path="/th/contact-us", is_private=is_private) == expected
    assert attribution_of_query("gclid=1", path="/", is_private=is_private) == ""


@pytest.mark.parametrize("letter", ["x", "ก", "é", "%", "x "])
def test_in_an_address_whole_marks_are_left_out_but_never_a_partners_code(letter: str) -> None:
    marks = dict.fromkeys(MARKS, (letter * MAX_VALUE_LENGTH)[:MAX_VALUE_LENGTH].rstrip()) | {"ref": "A2C3D4E5"}

    shortened = shorten_for_address(urlencode(marks | {"landing_page": "/th/book"}))

    values = clean_attribution(shortened)
    assert len(quote_plus(shortened)) <= MAX_LENGTH_IN_ADDRESS
    assert values.items() <= (marks | {"landing_page": "/th/book"}).items()
    assert {"ref", "utm_source", "landing_page"} <= values.keys()
    assert letter in "éก" or len(values) == len(NAMES) - 1


@pytest.mark.parametrize("ref", ["newsletter", "ada%40example.com", "A2C3D4E", "facebook"])
def test_of_a_visitor_who_refuses_tracking_only_a_partners_code_is_kept(ref: str) -> None:
    assert attribution_of_query(f"ref={ref}", path="/", is_private=True) == ""
    assert attribution_of_query(f"ref={ref}", path="/", is_private=False) != ""


def test_the_browser_knows_a_partners_code_by_the_same_pattern() -> None:
    script = (ROOT / "components/browser/reader/attribution.js").read_text(encoding="utf-8")

    assert f"/^[{SPOKEN_ALPHABET}]{{{CODE_LENGTH}}}$/i" in script


@pytest.mark.parametrize(
    ("length", "left_out"),
    [(10, []), (MAX_VALUE_LENGTH, ["utm_campaign", "utm_content", "utm_term"])],
)
def test_the_dialog_puts_no_more_into_an_address_than_the_plain_pages(length: int, left_out: list[str]) -> None:
    marks = dict.fromkeys(MARKS, "ก" * length) | {"ref": "A2C3D4E5", "landing_page": "/th"}
    stub = f"globalThis.sessionStorage = {{ getItem: () => {json.dumps(urlencode(marks))} }};"
    script = "process.stdout.write(new URLSearchParams(attributionForAddress()).toString())"

    [parameter] = [text for name, text in parse_qsl(_run(f"{stub}\n{script}")) if name == "attribution"]

    assert len(quote_plus(parameter)) <= MAX_LENGTH_IN_ADDRESS
    assert sorted(marks.keys() - clean_attribution(parameter).keys()) == left_out
    assert clean_attribution(shorten_for_address(parameter)) == clean_attribution(parameter)


def test_without_attribution_or_storage_the_dialog_puts_nothing_into_an_address() -> None:
    for stub in ("globalThis.sessionStorage = { getItem: () => null };", ""):
        assert _run(f"{stub}\nprocess.stdout.write(JSON.stringify(attributionForAddress()))") == "{}"


def _run(script: str) -> str:
    """Runs a script by node that may use the functions of the form's field `attribution`."""
    source = (ROOT / "components/reliable_form/attribution.js").read_text(encoding="utf-8")
    node = [str(Path(sys.executable).with_name("node")), "--input-type=module", "--eval", f"{source}\n{script}"]
    return subprocess.run(node, capture_output=True, text=True, check=True).stdout
