"""The same errand without JavaScript: book, look at it, move it, cancel it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.booking.calls import meetings
from tests.browser.server import Site

Visit = Callable[..., Page]


@pytest.fixture
def booked(visit: Visit) -> Page:
    """The page of a call that was booked in plain HTML."""
    page = visit("/book?zone=Asia/Bangkok", javascript=False, width=360)
    page.locator("input[name=slot]").first.check()
    page.get_by_role("button", name="Continue with this time").click()
    page.get_by_label("Full name").fill("Ada Lovelace")
    page.get_by_label("Email address").fill("ada@example.org")
    page.get_by_role("button", name="Book the call").click()
    expect(page.get_by_role("link", name="Move the call")).to_be_visible()
    return page


def test_a_call_is_booked_without_javascript(booked: Page, site: Site) -> None:
    expect(booked.get_by_role("main")).to_contain_text("Bangkok")
    assert meetings(site)[-1][:3] == ("booked", "Ada Lovelace", "Asia/Bangkok")


def test_a_call_is_moved_without_javascript(booked: Page) -> None:
    before = booked.locator("dd").first.inner_text()

    booked.get_by_role("link", name="Move the call").click()
    booked.locator("input[name=slot]:not(:checked)").last.check()
    booked.locator("form button").last.click()

    expect(booked.get_by_role("link", name="Move the call")).to_be_visible()
    expect(booked.locator("dd").first).not_to_have_text(before)


def test_a_call_is_cancelled_without_javascript(booked: Page, site: Site) -> None:
    booked.get_by_text("Cancel the call", exact=True).click()
    booked.get_by_role("button", name="Yes, cancel the call").click()

    expect(booked.get_by_role("link", name="Book a new call")).to_be_visible()
    assert meetings(site)[-1][0] == "cancelled"


def test_the_dialog_and_the_faq_lead_to_the_plain_page(visit: Visit) -> None:
    page = visit("/th/faq", javascript=False)

    assert page.locator("main a[href='/th/book']").count() == 1
    page.locator("[commandfor=consultation-dialog]:visible").first.click()
    page.locator("dialog[open] a[href='/th/book']").click()

    expect(page.locator("input[name=slot]").first).to_be_visible()


def test_english_chosen_on_a_plain_page_is_remembered_at_home(visit: Visit, site: Site) -> None:
    page = visit("/book?zone=Asia/Bangkok", javascript=False)
    page.get_by_role("button", name="ไทย", exact=True).click()
    expect(page).to_have_url(site.url + "/th/book?zone=Asia%2FBangkok")
    page.goto(site.url)
    expect(page).to_have_url(site.url + "/th")

    page.goto(site.url + "/th/book")
    page.get_by_role("button", name="EN", exact=True).click()
    page.get_by_role("link", name="Plumbline").first.click()

    expect(page).to_have_url(site.url + "/")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_who_chose_thai_without_javascript_finds_the_way_back_to_english(visit: Visit, site: Site) -> None:
    page = visit("/book", javascript=False)
    page.get_by_role("button", name="ไทย", exact=True).click()
    page.get_by_role("link", name="Plumbline").first.click()
    expect(page).to_have_url(site.url + "/th")

    page.locator(".bar-wide summary[data-language-menu]").click()
    page.locator(".bar-wide").get_by_role("link", name="English").click()
    expect(page).to_have_url(site.url + "/")
    page.goto(site.url + "/faq")

    expect(page).to_have_url(site.url + "/faq")


def test_the_form_goes_along_into_another_language_and_the_enter_key_sends_it(visit: Visit, site: Site) -> None:
    page = visit("/book?zone=Asia/Bangkok", javascript=False, width=360)
    page.locator("input[name=slot]").first.check()
    page.get_by_role("button", name="中文", exact=True).click()
    expect(page.locator("input[name=slot]").first).to_be_checked()
    page.locator("main form").last.get_by_role("button").click()
    page.locator("[name=full_name]").fill("Ada Lovelace")
    page.locator("[name=email]").fill("ada@example")

    page.get_by_role("button", name="ไทย", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "th")
    expect(page.locator("[name=full_name]")).to_have_value("Ada Lovelace")
    expect(page.locator("[name=email]")).to_have_value("ada@example")
    page.locator("[name=email]").fill("ada@example.org")
    page.locator("[name=email]").press("Enter")

    page.wait_for_url("**/th/meetings/*")
    assert meetings(site)[-1][:3] == ("booked", "Ada Lovelace", "Asia/Bangkok")


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_axe_finds_nothing_on_the_plain_page(visit: Visit, width: int, scheme: str) -> None:
    page = visit("/book", width=width, wait=False, color_scheme=scheme)

    assert findings(page) == []


def test_the_link_to_the_plain_page_leaves_react_behind(visit: Visit) -> None:
    page = visit("/faq")
    question = page.locator("details:has(a[href='/book'])")
    question.locator("summary").click()

    question.locator("a[href='/book']").click()

    expect(page.locator("input[name=slot]").first).to_be_visible()
