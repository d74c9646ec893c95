"""The language of a call is chosen in the dialog and on the plain page; times and host follow."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.booking.steps import LOOKUP, book, confirmed, dialog, hosts, name_field, new_address, plain_submit, reserve
from tests.browser.visit import Visit, hydrated
from tests.support.site_server import PATIENT, Site

THAI = "Siriporn Chaiyasit"
LANGUAGES = PATIENT | {
    "SITE_BOOKING_LANGUAGES": f"th {THAI},cn Wei Zhang",
    "SITE_BOOKING_LANGUAGE_HOURS": "th 07:00-09:00",
}
EARLY = re.compile(r"0[78]:[03]0")  # in the hours of calls in Thai; which of them is the first, the hour of the test decides


@pytest.fixture
def several(start_site: Callable[..., Site]) -> Site:
    return start_site(**LANGUAGES)


@pytest.mark.parametrize("width", [1280, 360])
def test_a_meeting_is_booked_in_the_language_chosen_in_the_dialog(visit: Visit, several: Site, width: int) -> None:
    options = {"timezone_id": "Europe/London", "locale": "en-GB", "has_touch": width < 600, "is_mobile": width < 600}
    page = visit("/?open=consultation", on=several, width=width, allowed=(LOOKUP,), **options)
    language = page.get_by_label("Language of the call")
    expect(page.locator(".slot").first).to_be_visible()
    if width < 600:
        language.select_option("th")
    else:
        language.click()
        page.get_by_role("option", name="Thai").click()
    expect(page.locator(".slot input[value$='-th']").first).to_be_attached()
    expect(page.locator(".slot-time").first).to_contain_text(EARLY)

    slot = reserve(page)
    assert slot.endswith("-th")
    page.goto(f"{several.url}/?open=consultation")  # the draft remembers the time, and by it the language
    hydrated(page)
    expect(page.locator(".hold-left")).to_be_visible()
    expect(dialog(page).locator(".held-when")).to_contain_text(EARLY)
    expect(name_field(page)).to_have_value("Ada Lovelace")
    book(page)

    expect(confirmed(page)).to_be_visible()
    assert hosts(several) == [("th", THAI)]


def test_a_meeting_is_booked_in_a_language_without_javascript(visit: Visit, several: Site) -> None:
    page = visit("/book?zone=Europe/London", on=several, javascript=False, width=360)
    page.get_by_label("Language of the call").select_option("th")
    page.get_by_role("button", name="Show times").click()
    expect(page.locator("main")).to_contain_text(THAI)
    page.locator("input[name=slot]").first.check()
    plain_submit(page)
    page.locator("[name=full_name]").fill("Ada Lovelace")
    page.locator("[name=email]").fill(new_address())
    plain_submit(page)

    expect(page.locator("main dl")).to_contain_text(THAI)
    assert hosts(several) == [("th", THAI)]


def test_with_one_language_no_choice_is_offered(visit: Visit) -> None:
    page = visit("/?open=consultation", allowed=(LOOKUP,))

    expect(page.locator(".slot").first).to_be_visible()
    expect(page.get_by_label("Language of the call")).to_have_count(0)
