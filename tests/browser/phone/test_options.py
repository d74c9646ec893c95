"""The visible effect of each option. Independent options are changed on one page."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from components.phone_input import DEFAULTS
from tests.browser.phone.field import Field

Look = Callable[[Field], object]


def attribute(name: str) -> Look:
    return lambda phone: phone.input.get_attribute(name)


def count_of(selector: str) -> Look:
    return lambda phone: phone.box.locator(selector).count()


def typed(text: str) -> Look:
    return lambda phone: phone.type(text)


def first_option(phone: Field) -> str:
    return phone.options.first.inner_text().replace("\n", " ")


def sent_names(phone: Field) -> list[str]:
    return phone.page.evaluate("[...new FormData(document.querySelector('#specimen')).keys()]")


# Visible at once: another value of the option, the place to look, and the look by default and with that value.
STILL: dict[str, tuple[Any, Look, object, object]] = {
    "type": ("text", attribute("type"), "tel", "text"),
    "name": ("mobile", lambda phone: sent_names(phone)[0], "telephone", "mobile"),
    "country_name": ("region", lambda phone: sent_names(phone)[1:], [], ["region"]),
    "placeholder": ("Mobile", attribute("placeholder"), "Enter a phone number", "Mobile"),
    "auto_complete": ("tel", attribute("autocomplete"), "on", "tel"),
    "tab_index": (5, attribute("tabindex"), "0", "5"),
    "required": (True, lambda phone: phone.input.evaluate("i => i.validity.valueMissing"), False, True),
    "auto_focus": (True, lambda phone: phone.input.evaluate("i => i === document.activeElement"), False, True),
    "aria_label": ("Mobile", attribute("aria-label"), "Phone number", "Mobile"),
    "error": ("Please call us.", lambda phone: phone.note.inner_text(), "", "Please call us."),
    "input_class_name": ("mine", count_of("input.mine"), 0, 1),
    "show_dial_code_in_selection": (True, lambda phone: phone.button.inner_text(), "", "+44"),
}
# Visible in the open list.
IN_LIST: dict[str, tuple[Any, Look, object, object]] = {
    "only_countries": (["TH", "fr"], count_of(".phone-option"), 245, 2),
    "preferred_countries": (["FR"], lambda phone: first_option(phone)[:3], "Uni", "ฝรั"),
    "language": ("th", lambda phone: first_option(phone)[:7], "United ", "ฝรั่งเศ"),
    "show_dial_code_in_list": (False, lambda phone: "+" in first_option(phone), True, False),
    "show_search_box": (True, count_of(".phone-search"), 0, 1),
    "search_box_placeholder": ("Name or code", count_of("[placeholder='Name or code']"), 0, 1),
    "list_class_name": ("mine", count_of(".phone-menu.mine"), 0, 1),
}
US = {"default_country": "US"}
LAND = {"name": "Land", "iso2": "GB", "dialCode": "44", "priority": 0, "areaCodes": None}
# Options that need a page of their own, or share one with independent options: the options and their effects.
APART: list[tuple[dict[str, Any], list[tuple[Look, object]]]] = [
    ({"disabled": True}, [(lambda phone: (phone.input.is_disabled(), phone.button.is_disabled()), (True, True))]),
    ({"read_only": True}, [(lambda phone: (phone.input.is_editable(), phone.button.is_enabled()), (False, False))]),
    ({"mode": "national"}, [(typed("+442079460958"), "020 7946 0958")]),
    ({"valid_characters_only": True}, [(typed("a1b2(3)-+ 4"), "12(3)-+ 4")]),
    ({"auto_format": False, **US}, [(typed("2133734253"), "2133734253")]),
    (
        {"auto_default_country": False, "lookup_url": "/where", "language": "zh-Hans"},
        [(lambda phone: phone.country(), "GB"), (lambda phone: first_option(phone.open()), "英国 +44")],
    ),
    (
        {"default_value": "020 7946 0958", "ignored_countries": ["AF"], "show_flags": False},
        [
            (lambda phone: phone.input.input_value(), "020 7946 0958"),
            (lambda phone: phone.open().options.count(), 244),
            (count_of("img"), 0),
        ],
    ),
    (
        {"all_countries": [LAND], "label": "Mobile", "max_length": 10},
        [
            (lambda phone: phone.page.get_by_label("Mobile", exact=True).count(), 1),
            (typed("1" * 30), "1" * 10),
            (lambda phone: phone.open().options.count(), 1),
        ],
    ),
]
# covered by other tests
ELSEWHERE = {"words", "lookup_url", "default_country", "custom_pattern", "invalid_text", "native_list_on_touch"}


@pytest.fixture(autouse=True)
def thailand(page: Page) -> None:
    found_country = "1;TH;THA;Thailand"  # codespell:ignore tha
    page.route("**/where", lambda route: route.fulfill(body=found_country, content_type="text/plain"))


def test_every_option_is_tested() -> None:
    assert {*STILL, *IN_LIST, *(option for options, _ in APART for option in options), *ELSEWHERE} == {*DEFAULTS}


@pytest.mark.parametrize("table", [STILL, IN_LIST], ids=["the field", "its list"])
def test_options_change_what_the_visitor_sees(
    table: dict[str, tuple[Any, Look, object, object]], page: Page, project_url: str
) -> None:
    observed = []
    for options in ({}, {name: changed for name, (changed, *_) in table.items()}):
        phone = Field(page, project_url, **options)
        if table is IN_LIST:
            phone.open()
        observed.append({name: look(phone) for name, (_, look, *_) in table.items()})

    by_default, otherwise = observed
    assert by_default == {name: row[2] for name, row in table.items()}
    assert otherwise == {name: row[3] for name, row in table.items()}


@pytest.mark.parametrize(("options", "looks"), APART, ids=lambda value: " ".join(value) if isinstance(value, dict) else "")
def test_an_option_changes_what_the_visitor_sees(
    options: dict[str, Any], looks: list[tuple[Look, object]], page: Page, project_url: str
) -> None:
    phone = Field(page, project_url, **options)

    assert [look(phone) for look, _ in looks] == [expected for _, expected in looks]


def test_the_page_sets_the_words_and_the_note_describes_the_field(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, default_country="US", words={"weCall": "โทร {number} ({country})", "country": "ประเทศ"})

    phone.type("2133734253")

    expect(phone.note).to_have_text("โทร +1 213 373 4253 (United States)")
    expect(phone.button).to_have_attribute("aria-label", "ประเทศ: United States +1")
    expect(phone.input).to_have_attribute("aria-describedby", str(phone.note.get_attribute("id")))
    expect(phone.box).to_have_class("phone specimen")
