"""Attribution is stored on the first page, a partner's code on the first page with one, and both are sent with the form."""

import json
import re
import sqlite3

import pytest
from playwright.sync_api import Page, expect

from tests.browser.forms.filling import CONTACT_PAGE, result
from tests.browser.visit import Visit
from tests.browser.waiting import until, until_true, wait_for_page
from tests.support.site_server import Site

CODE = "A2C3D4E5"
_PRIVATE = "Object.defineProperties(navigator, { globalPrivacyControl: { value: true } })"


def _attribution_of_last_lead(site: Site) -> dict[str, str]:
    with sqlite3.connect(site.var / "site.db") as database:
        return json.loads(database.execute("SELECT attribution FROM lead ORDER BY id DESC LIMIT 1").fetchone()[0])


def _send(page: Page) -> None:
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    CONTACT_PAGE.button(page).click()
    expect(result(page)).to_be_visible()


def test_the_first_page_of_a_visit_is_sent_with_the_form(visit: Visit, site: Site) -> None:
    page = visit("/faq?utm_source=x&ref=Y&gclid=1", wait=False)
    until(page, "sessionStorage.attribution", "utm_source=x&ref=Y&landing_page=%2Ffaq")
    page.goto(site.url + "/contact-us?utm_source=later")
    _send(page)

    assert _attribution_of_last_lead(site) == {"utm_source": "x", "ref": "Y", "landing_page": "/faq"}


def test_a_partners_link_counts_that_is_followed_later_in_the_visit(visit: Visit, site: Site) -> None:
    page = visit("/faq?utm_source=x", wait=False)
    until(page, "sessionStorage.attribution", "utm_source=x&landing_page=%2Ffaq")
    for code in (CODE, "K7F3M29Q"):
        page.goto(f"{site.url}/?ref={code}&utm_source=y")
        until(page, "sessionStorage.attribution", f"utm_source=x&landing_page=%2Ffaq&ref={CODE}")


def test_visitors_who_refuse_tracking_keep_only_the_partners_code(visit: Visit) -> None:
    page = visit("/faq?utm_source=x&ref=newsletter", joined=True, script=_PRIVATE)
    until_true(page, lambda: page.evaluate("'attribution' in sessionStorage") is False)

    page = visit(f"/faq?utm_source=x&ref={CODE}", wait=False, script=_PRIVATE)

    until(page, "sessionStorage.attribution", f"ref={CODE}")


def test_without_attribution_nothing_is_stored_in_the_browser(visit: Visit) -> None:
    page = visit("/faq?gclid=1", joined=True)
    page.locator(".bar-links a[href='/contact-us']").first.click()
    wait_for_page(page, "/contact-us")

    until_true(page, lambda: page.evaluate("'attribution' in sessionStorage") is False)


@pytest.mark.parametrize("prefix", ["", "/th", "/cn"])
def test_a_partners_code_stays_with_a_visitor_without_javascript(visit: Visit, site: Site, prefix: str) -> None:
    page = visit(f"{prefix}/?ref={CODE}".replace("//", "/"), javascript=False)
    page.locator(f"main a[href^='{prefix}/services/']:visible").first.click()
    expect(page).to_have_url(re.compile(rf"{prefix}/services/[^?]+\?ref={CODE}$"))
    page.locator(f"a[href^='{prefix}/contact-us']:visible").first.click()
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    CONTACT_PAGE.button(page).click()

    expect(page).to_have_url(re.compile(r"/contact-us/sent\?"))
    assert _attribution_of_last_lead(site)["ref"] == CODE


def test_react_takes_over_a_page_whose_links_carry_a_code(visit: Visit) -> None:
    """The fixture fails on any warning or error of the console."""
    page = visit(f"/?ref={CODE}", joined=True)
    page.locator(".bar-links a[href^='/contact-us']").first.click()
    wait_for_page(page, "/contact-us")

    until(page, "sessionStorage.attribution", f"ref={CODE}&landing_page=%2F")
