"""The table of options: each with the spec's default and what it changes before the visitor's eyes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from components.phone_input.phone_input import DEFAULTS, WORDS
from tests.browser.phone.conftest import Field

Look = Callable[[Field], object]


@dataclass(frozen=True)
class Row:
    option: str
    default: Any
    other: Any
    look: Look
    by_default: object
    otherwise: object
    beside: dict[str, Any] = field(default_factory=dict)  # further options the look needs


def typed(text: str) -> Look:
    return lambda phone: phone.type(text)


def attribute(name: str) -> Look:
    return lambda phone: phone.input.get_attribute(name)


def in_list(selector: str) -> Look:
    return lambda phone: phone.open().box.locator(selector).count()


def complaint(phone: Field) -> str:
    phone.type("123")
    return phone.input.evaluate("input => input.validationMessage")


def chosen_by_default(phone: Field) -> str:
    return phone.country()


def first_option(phone: Field) -> str:
    return phone.open().options.first.inner_text().replace("\n", " ")


def said_back(phone: Field) -> str:
    phone.type("2133734253")
    return phone.note.inner_text()


def sent_names(phone: Field) -> list[str]:
    return phone.page.evaluate("[...new FormData(document.querySelector('#specimen')).keys()]")


def extension_sent(phone: Field) -> str | None:
    phone.type("2133734253 ext. 123")
    return phone.page.evaluate("new FormData(document.querySelector('#specimen')).get('extension')")


def focused(phone: Field) -> bool:
    return phone.input.evaluate("input => input === document.activeElement")


US = {"default_country": "US"}
SAID = WORDS["weCall"].format(number="+1 213 373 4253", country="United States")
LAND = {"name": "Land", "iso2": "GB", "dialCode": "44", "priority": 0, "areaCodes": None}
TABLE = [
    Row("default_value", "", "020 7946 0958", lambda phone: phone.input.input_value(), "", "020 7946 0958"),
    Row("auto_format", True, False, typed("2133734253"), "(213) 373-4253", "2133734253", US),
    Row("mode", "auto", "national", typed("+442079460958"), "+44 20 7946 0958", "020 7946 0958"),
    Row("mode", "auto", "international", typed("2133734253"), "(213) 373-4253", "+1 213 373 4253", US),
    Row("valid_characters_only", False, True, typed("a1b2(3)-+ 4"), "a1b2(3)-+ 4", "12(3)-+ 4"),
    Row("custom_pattern", "", "[0-9]{10}", typed("2133734253"), "(213) 373-4253", "2133734253", US),
    Row("invalid_text", "", "Not a number", complaint, "", "Not a number"),
    Row("auto_default_country", True, False, chosen_by_default, "TH", "GB", {"lookup_url": "/where"}),
    Row("lookup_url", "", "/where", chosen_by_default, "GB", "TH"),
    Row("default_country", "", "US", chosen_by_default, "GB", "US"),
    Row("all_countries", [], [LAND], lambda phone: phone.open().options.count(), 245, 1),
    Row("preferred_countries", ["GB", "US", "TH", "CN"], ["FR"], first_option, "United Kingdom +44", "France +33"),
    Row("only_countries", [], ["TH", "us"], in_list(".phone-option"), 245, 2),
    Row("ignored_countries", [], ["AF"], in_list(".phone-option"), 245, 244),
    Row("language", "en", "th", first_option, "United Kingdom +44", "สหราชอาณาจักร +44"),
    Row("language", "en", "zh-Hans", first_option, "United Kingdom +44", "英国 +44"),
    Row("show_dial_code_in_list", True, False, first_option, "United Kingdom +44", "United Kingdom"),
    Row("show_dial_code_in_selection", False, True, lambda p: p.button.inner_text(), "", "+44", {"default_country": "GB"}),
    Row("show_flags", True, False, in_list(".phone-option img"), 245, 0),
    Row("flag_url", "/flags/XX.svg", "/flags/TH.svg?XX", in_list("img[src*='svg?GB']"), 0, 2),
    Row("show_search_box", False, True, in_list(".phone-search"), 0, 1),
    Row(
        "search_box_placeholder",
        "",
        "Name or code",
        lambda phone: phone.open().box.locator(".phone-search").get_attribute("placeholder"),
        "",
        "Name or code",
        {"show_search_box": True},
    ),
    Row("dropdown_disabled", False, True, lambda phone: phone.button.is_disabled(), False, True),
    Row("dropdown_tab_index", 0, -1, lambda phone: phone.button.get_attribute("tabindex"), "0", "-1"),
    Row("type", "tel", "text", attribute("type"), "tel", "text"),
    Row("name", "telephone", "mobile", sent_names, ["telephone"], ["mobile"]),
    Row("country_name", "", "region", sent_names, ["telephone"], ["telephone", "region"]),
    Row("ext_name", "", "extension", extension_sent, None, "123", US),
    Row("max_length", 25, 10, typed("1" * 30), "1" * 25, "1" * 10),
    Row("placeholder", "Enter a phone number", "Mobile", attribute("placeholder"), "Enter a phone number", "Mobile"),
    Row("auto_complete", "on", "tel", attribute("autocomplete"), "on", "tel"),
    Row("tab_index", 0, 5, attribute("tabindex"), "0", "5"),
    Row("disabled", False, True, lambda p: (p.input.is_disabled(), p.button.is_disabled()), (False, False), (True, True)),
    Row("read_only", False, True, lambda p: (p.input.is_editable(), p.button.is_enabled()), (True, True), (False, False)),
    Row("required", False, True, lambda phone: phone.input.evaluate("i => i.validity.valueMissing"), False, True),
    Row("auto_focus", False, True, focused, False, True),
    Row("label", "", "Mobile", lambda phone: phone.page.get_by_label("Mobile", exact=True).count(), 0, 1),
    Row("aria_label", "Phone number", "Mobile", attribute("aria-label"), "Phone number", "Mobile"),
    Row("show_note", True, False, said_back, SAID, "", US),
    Row("error", "", "Please call us.", lambda phone: phone.note.inner_text(), "", "Please call us."),
    Row("input_class_name", "", "mine", lambda phone: phone.box.locator("input.mine").count(), 0, 1),
    Row("list_class_name", "", "mine", in_list(".phone-menu.mine"), 0, 1),
]


@pytest.fixture(autouse=True)
def thailand(page: Page) -> None:
    answer = "1;TH;THA;Thailand"  # codespell:ignore tha
    page.route("**/where", lambda route: route.fulfill(body=answer, content_type="text/plain"))


def test_every_option_is_in_the_table_with_its_default():
    in_other_tests = {"words", "described_by"}

    assert {row.option for row in TABLE} == DEFAULTS.keys() - in_other_tests
    assert [(row.option, row.default) for row in TABLE] == [(row.option, DEFAULTS[row.option]) for row in TABLE]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.option}-{row.other}")
def test_an_option_changes_what_the_visitor_sees(row: Row, page: Page, address: str):
    by_default = row.look(Field(page, address, **row.beside))
    otherwise = row.look(Field(page, address, **row.beside, **{row.option: row.other}))

    assert (by_default, otherwise) == (row.by_default, row.otherwise)


def test_the_words_are_the_pages_own(page: Page, address: str):
    phone = Field(page, address, default_country="US", words={"weCall": "โทร {number} ({country})", "country": "ประเทศ"})

    phone.type("2133734253")

    expect(phone.note).to_have_text("โทร +1 213 373 4253 (United States)")
    expect(phone.button).to_have_attribute("aria-label", "ประเทศ: United States +1")


def test_the_field_is_described_by_its_note_and_by_what_else_is_asked(page: Page, address: str):
    phone = Field(page, address, described_by="hint")

    note = phone.note.get_attribute("id")

    expect(phone.input).to_have_attribute("aria-describedby", f"hint {note}")


def test_the_whole_field_has_the_class_it_was_given(page: Page, address: str):
    expect(Field(page, address).box).to_have_class("phone specimen")
