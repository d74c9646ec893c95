"""The list of countries: by keyboard, by search, by touch, and where it opens."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from components.phone_input import WORDS
from tests.browser.phone.field import Field, watch
from tests.browser.waiting import until_true


def test_the_list_is_used_by_keyboard_alone(page: Page, project_url: str) -> None:
    phone = Field(page, project_url)
    keys = page.keyboard

    phone.button.focus()
    keys.press("ArrowDown")
    active_rows = [phone.active()]
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "End", "ArrowDown", "Home", "ArrowUp", "PageDown"):
        keys.press(key)
        active_rows.append(phone.active())
    keys.press("Escape")

    assert active_rows == [
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


def test_enter_space_and_tab_choose_and_the_field_is_next(page: Page, project_url: str) -> None:
    phone = Field(page, project_url)

    for opens, leads, chooses, country in (
        ("Enter", "ArrowDown", "Enter", "US"),
        (" ", "ArrowDown", " ", "TH"),
        ("ArrowDown", "End", "Tab", "ZW"),
    ):
        phone.button.focus()
        for key in (opens, leads, chooses):
            page.keyboard.press(key)

        expect(phone.input).to_be_focused()
        expect(phone.box.get_by_role("listbox")).to_have_count(0)
        assert phone.country() == country


def test_a_pause_of_700_milliseconds_begins_a_new_word(page: Page, project_url: str) -> None:
    page.clock.install()
    phone = Field(page, project_url).open()

    page.keyboard.type("fr")
    one_word = phone.active()
    page.clock.fast_forward(701)
    page.keyboard.type("sp")

    assert (one_word, phone.active()) == ("France", "Spain")


def test_the_search_box_finds_a_country_or_reports_no_match(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, show_search_box=True).open()
    search = phone.box.get_by_role("combobox")
    expect(search).to_be_focused()

    expect(phone.box.get_by_role("status")).to_have_text("")
    search.fill("Atlantis")
    expect(phone.box.get_by_role("status")).to_have_text(WORDS["noMatch"])
    expect(phone.options).to_have_count(0)
    search.fill("holland")
    assert phone.active() == "Netherlands"

    search.press("Enter")
    expect(phone.button).to_have_attribute("aria-label", re.compile(r"^Country: Netherlands \+"))
    expect(phone.input).to_be_focused()


def test_the_list_follows_the_combobox_pattern_and_reports_its_events(page: Page, project_url: str) -> None:
    phone = Field(page, project_url)
    expect(phone.button).to_have_role("combobox")
    expect(phone.button).to_have_attribute("aria-expanded", "false")

    phone.open()
    listed = phone.box.get_by_role("listbox").get_attribute("id")
    active = phone.box.locator("[data-active]").get_attribute("id")
    expect(phone.button).to_have_attribute("aria-expanded", "true")
    expect(phone.button).to_have_attribute("aria-controls", str(listed))
    expect(phone.button).to_have_attribute("aria-activedescendant", str(active))
    expect(phone.box.locator("[aria-selected=true]")).to_have_count(1)

    page.mouse.click(880, 20)  # outside the list
    expect(phone.box.get_by_role("listbox")).to_have_count(0)
    assert phone.country() == "GB"

    phone.open().options.filter(has_text="Thailand").click()
    phone.await_report('"iso2": "TH"')
    until_true(page, lambda: phone.reports("open") == phone.reports("close") == [[], []])
    assert [country["iso2"] for (country,) in phone.reports("country")] == ["GB", "TH"]
    assert phone.reports("country")[1][0] == {
        "name": "Thailand",
        "iso2": "TH",
        "dialCode": "66",
        "priority": 0,
        "areaCodes": None,
    }


def test_the_list_opens_downwards_if_there_are_200_pixels(page: Page, project_url: str) -> None:
    phone = Field(page, project_url)
    page.evaluate("() => (document.querySelector('main').style.paddingTop = '400px')")
    bottom = phone.box.locator(".phone-field").evaluate("field => field.getBoundingClientRect().bottom")

    for room, is_down in ((200, True), (199, False)):
        page.set_viewport_size({"width": 900, "height": round(bottom) + room})
        phone.open()

        menu, field = phone.box.locator(".phone-menu").bounding_box(), phone.box.locator(".phone-field").bounding_box()
        assert menu
        assert field
        assert (menu["y"] > field["y"]) == is_down
        assert menu["y"] >= 0
        assert menu["y"] + menu["height"] <= bottom + room
        page.keyboard.press("Escape")
        expect(phone.box.get_by_role("listbox")).to_have_count(0)


def test_the_list_is_never_wider_than_the_screen(page: Page, project_url: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    phone = Field(page, project_url, language="th").open()

    menu = phone.box.locator(".phone-menu").bounding_box()

    assert menu
    assert menu["x"] >= 0
    assert menu["x"] + menu["width"] <= 320
    assert phone.box.get_by_role("listbox").evaluate("list => list.scrollWidth <= list.clientWidth")


def test_escape_closes_the_list_and_not_the_dialog_around_it(page: Page, project_url: str) -> None:
    page.goto(f"{project_url}/dialog")
    page.locator("[commandfor]").click()
    page.locator(".phone-button").click()
    expect(page.get_by_role("listbox")).to_be_visible()

    page.keyboard.press("Escape")

    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.fixture
def touch_page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 320, "height": 640})
    page = context.new_page()
    watch(page, complaints := [])
    yield page
    context.close()
    assert complaints == []


def test_on_touch_the_list_has_flags_type_ahead_and_an_unfocused_search(touch_page: Page, project_url: str) -> None:
    phone = Field(touch_page, project_url)

    phone.button.tap()
    search = phone.box.locator(".phone-search")
    expect(search).to_be_visible()
    expect(search).to_have_attribute("placeholder", "Search for a country")
    expect(search).not_to_be_focused()
    expect(phone.options.first.locator("img")).to_be_visible()
    touch_page.keyboard.type("fr")
    assert phone.active() == "France"

    search.tap()
    search.press_sequentially("holland")
    expect(phone.options).to_have_count(1)
    search.evaluate("search => search.blur()")  # like "Done" on the device's keyboard
    phone.options.first.tap()

    assert phone.country() == "NL"
    expect(phone.box.get_by_role("listbox")).to_have_count(0)
    expect(phone.input).to_be_focused()


def test_a_press_elsewhere_closes_the_list_on_touch(touch_page: Page, project_url: str) -> None:
    phone = Field(touch_page, project_url)
    phone.button.tap()

    touch_page.get_by_role("heading").first.tap()

    expect(phone.box.get_by_role("listbox")).to_have_count(0)


def test_the_list_fits_above_the_devices_keyboard(touch_page: Page, project_url: str) -> None:
    phone = Field(touch_page, project_url)
    touch_page.evaluate("() => (document.querySelector('main').style.paddingTop = '450px')")  # the list opens upwards
    phone.button.tap()
    phone.box.locator(".phone-search").tap()

    touch_page.evaluate(
        """() => {
            for (const [name, value] of [["height", 300], ["offsetTop", 100]])
                Object.defineProperty(visualViewport, name, { get: () => value });
            visualViewport.dispatchEvent(new Event("resize"));
        }"""
    )

    menu = phone.box.locator(".phone-menu").bounding_box()
    assert menu
    assert menu["y"] >= 100
    assert menu["y"] + menu["height"] <= 400
    assert menu["x"] >= 0
    assert menu["x"] + menu["width"] <= 320
    expect(phone.options.first).to_be_in_viewport()


def test_on_touch_the_page_can_choose_the_native_select(touch_page: Page, project_url: str) -> None:
    phone = Field(touch_page, project_url, native_list_on_touch=True)
    select = phone.box.get_by_role("combobox", name="Country")

    select.select_option("TH")

    assert phone.country() == "TH"
    assert select.locator("option").first.inner_text() == "United Kingdom (+44)"
    expect(phone.button).to_have_count(0)
    expect(phone.input).to_be_focused()
