"""The list of countries: by keyboard, by search, by touch, and where it opens."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phone.conftest import Field, watch


def test_the_list_is_worked_by_keyboard_alone(page: Page, address: str):
    phone = Field(page, address)
    keys = page.keyboard

    phone.button.focus()
    keys.press("ArrowDown")
    seen = [phone.active()]
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "End", "ArrowDown", "Home", "ArrowUp", "PageDown"):
        keys.press(key)
        seen.append(phone.active())
    keys.press("Escape")

    assert seen == [
        "United Kingdom",
        "United States",
        "Thailand",
        "United States",
        "Zimbabwe",
        "Zimbabwe",
        "United Kingdom",
        "United Kingdom",
        "American Samoa",
    ]
    expect(phone.box.get_by_role("listbox")).to_have_count(0)
    expect(phone.button).to_be_focused()
    assert phone.country() == "GB"


@pytest.mark.parametrize("key", ["Enter", " "])
def test_enter_and_space_choose_and_the_field_is_next(key, page: Page, address: str):
    phone = Field(page, address)

    phone.button.focus()
    page.keyboard.press(key)
    page.keyboard.press("ArrowDown")
    page.keyboard.press(key)

    assert phone.country() == "US"
    expect(phone.input).to_be_focused()


def test_tab_chooses_and_goes_on(page: Page, address: str):
    phone = Field(page, address)

    phone.button.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.keyboard.press("Tab")

    assert phone.country() == "ZW"
    expect(phone.input).to_be_focused()
    expect(phone.box.get_by_role("listbox")).to_have_count(0)


@pytest.mark.parametrize(
    ("keys", "country"),
    [
        ("thai", "Thailand"),
        ("THAI", "Thailand"),
        ("united a", "United Arab Emirates"),
        ("aland", "Åland Islands"),
        ("emir", "United Arab Emirates"),
    ],
)
def test_typing_leads_through_the_whole_list(keys, country, page: Page, address: str):
    phone = Field(page, address).open()

    page.keyboard.type(keys)

    assert phone.active() == country


def test_a_pause_of_700_milliseconds_begins_a_new_word(page: Page, address: str):
    page.clock.install()
    phone = Field(page, address).open()

    page.keyboard.type("fr")
    one_word = phone.active()
    page.clock.fast_forward(701)
    page.keyboard.type("sp")

    assert (one_word, phone.active()) == ("France", "Spain")


def test_the_same_letter_goes_round(page: Page, address: str):
    phone = Field(page, address).open()

    seen = []
    for _ in range(3):
        page.keyboard.type("z")
        seen.append(phone.active())

    assert seen == ["Zambia", "Zimbabwe", "Zambia"]


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("uk", "United Kingdom"),
        ("USA", "United States"),
        ("uae", "United Arab Emirates"),
        ("th", "Thailand"),
        ("ไทย", "Thailand"),
        ("泰国", "Thailand"),
        ("+66", "Thailand"),
        ("852", "Hong Kong"),
        ("holland", "Netherlands"),
        ("aland", "Åland Islands"),
        ("kingdom", "United Kingdom"),
    ],
)
def test_the_search_box_finds_a_country_by_any_of_its_names(text, country, page: Page, address: str):
    phone = Field(page, address, show_search_box=True).open()
    search = phone.box.get_by_role("combobox")
    expect(search).to_be_focused()

    search.fill(text)

    assert phone.active() == country
    search.press("Enter")
    expect(phone.button).to_have_attribute("aria-label", re.compile(rf"^Country: {country} \+"))
    expect(phone.input).to_be_focused()


def test_a_search_without_result_says_so(page: Page, address: str):
    phone = Field(page, address, show_search_box=True).open()

    phone.box.get_by_role("combobox").fill("Atlantis")

    expect(phone.box.get_by_role("status")).to_have_text("No country found. Try another spelling.")
    expect(phone.options).to_have_count(0)


def test_the_pattern_of_a_combobox_is_kept(page: Page, address: str):
    phone = Field(page, address)
    expect(phone.button).to_have_role("combobox")
    expect(phone.button).to_have_attribute("aria-expanded", "false")

    phone.open()

    listed = phone.box.get_by_role("listbox").get_attribute("id")
    active = phone.box.locator("[data-active]").get_attribute("id")
    expect(phone.button).to_have_attribute("aria-expanded", "true")
    expect(phone.button).to_have_attribute("aria-controls", str(listed))
    expect(phone.button).to_have_attribute("aria-activedescendant", str(active))
    expect(phone.box.locator("[aria-selected=true]")).to_have_count(1)


def test_opening_and_closing_and_another_country_are_reported(page: Page, address: str):
    phone = Field(page, address).open()

    phone.options.filter(has_text="Thailand").click()
    phone.await_report('"iso2": "TH"')
    phone.await_report('["close"]')

    assert phone.reports("open") == phone.reports("close") == [[]]
    assert [country["iso2"] for (country,) in phone.reports("country")] == ["GB", "TH"]
    assert phone.reports("country")[1][0] == {
        "name": "Thailand",
        "iso2": "TH",
        "dialCode": "66",
        "priority": 0,
        "areaCodes": None,
    }


def test_a_click_elsewhere_closes_the_list_and_changes_nothing(page: Page, address: str):
    phone = Field(page, address).open()

    page.mouse.click(880, 20)

    expect(phone.box.get_by_role("listbox")).to_have_count(0)
    assert phone.country() == "GB"


@pytest.mark.parametrize(("room", "direction"), [(200, "down"), (199, "up")])
def test_the_list_opens_downwards_if_there_are_200_pixels(room, direction, page: Page, address: str):
    phone = Field(page, address)
    page.evaluate("() => (document.querySelector('main').style.paddingTop = '400px')")
    bottom = phone.box.locator(".phone-field").evaluate("field => field.getBoundingClientRect().bottom")
    page.set_viewport_size({"width": 900, "height": round(bottom) + room})

    phone.open()

    menu, field = phone.box.locator(".phone-menu").bounding_box(), phone.box.locator(".phone-field").bounding_box()
    assert menu
    assert field
    assert (menu["y"] > field["y"]) == (direction == "down")
    assert menu["y"] >= 0
    assert menu["y"] + menu["height"] <= bottom + room


@pytest.mark.parametrize("width", [320, 360, 900])
def test_the_list_is_never_wider_than_the_screen(width, page: Page, address: str):
    page.set_viewport_size({"width": width, "height": 640})
    phone = Field(page, address, language="th").open()

    menu = phone.box.locator(".phone-menu").bounding_box()

    assert menu
    assert menu["x"] >= 0
    assert menu["x"] + menu["width"] <= width
    assert phone.box.get_by_role("listbox").evaluate("list => list.scrollWidth <= list.clientWidth")


def test_escape_closes_the_list_and_not_the_dialog_around_it(page: Page, address: str):
    page.goto(f"{address}/dialog")
    page.locator("[commandfor]").click()
    page.locator(".phone-button").click()
    expect(page.get_by_role("listbox")).to_be_visible()

    page.keyboard.press("Escape")

    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_touch_gets_the_devices_own_select(browser: Browser, address: str):
    context = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 320, "height": 640})
    page = context.new_page()
    watch(page, complaints := [])
    phone = Field(page, address)
    select = phone.box.get_by_role("combobox", name="Country")

    select.select_option("TH")

    assert phone.country() == "TH"
    assert select.locator("option").first.inner_text() == "United Kingdom (+44)"
    expect(phone.button).to_have_count(0)
    expect(phone.input).to_be_focused()
    context.close()
    assert complaints == []
