"""The contact form with JavaScript off."""

import re
from email import message_from_bytes, policy
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.forms.filling import CONTACT_PAGE, clear_button, leads, stored_value
from tests.browser.visit import Visit
from tests.browser.waiting import until_true
from tests.support.site_server import Site


def _fill(page: Page, email: str = "ada@example.org") -> None:
    CONTACT_PAGE.fill(page.locator("main form"))
    page.locator("main [name=email]").fill(email)


def _send(page: Page) -> None:
    page.locator("main form button:not([type=button]):visible").last.click()


def _sent(page: Page) -> str:
    """Waits for the confirmation and returns its reference."""
    page.wait_for_url("**/contact-us/sent?*")
    expect(page.locator("h1")).to_be_visible()
    return parse_qs(urlsplit(page.url).query)["reference"][0]


def test_a_message_is_answered_stored_once_and_released_by_the_link_in_the_mail(visit: Visit, site: Site) -> None:
    page = visit("/contact-us", javascript=False)
    _fill(page, "mary@example.org")
    _send(page)
    number = _sent(page)
    expect(page.locator("main")).to_contain_text(number)
    assert stored_value(site, "full_name", number) == "Ada Lovelace"

    leads_before = leads(site)
    page.reload()
    page.goto(site.url + "/contact-us")
    _fill(page, "mary@example.org")  # the same words again
    _send(page)
    _sent(page)
    assert leads(site) == leads_before

    page.goto(_link_in_the_mail(page, site, number))
    page.locator("main form button").click()
    expect(page.locator("main form")).to_have_count(0)
    assert stored_value(site, "status", number) == "released"


def _link_in_the_mail(page: Page, site: Site, number: str) -> str:
    def mails() -> list[Path]:
        return list((site.var / "mail").glob(f"{number}.*.eml"))

    until_true(page, mails)
    [mail] = mails()
    text = message_from_bytes(mail.read_bytes(), policy=policy.default).get_body(("plain",))
    assert text
    return re.findall(r"http://\S+/confirm/\S+", text.get_content())[0]


def test_an_application_asks_for_its_country_and_is_answered_with_its_reference(visit: Visit, site: Site) -> None:
    page = visit("/company/affiliate-program", javascript=False, allowed=("422 (Unprocessable Entity)",))
    form = page.locator("main form")
    for name, text in {"first_name": "Ada", "last_name": "Lovelace", "email": "application@example.org"}.items():
        form.locator(f"[name={name}]").fill(text)
    form.locator("[name=agreed_terms_version]").check()
    # These controls would do nothing.
    expect(page.locator("[data-theme-switch]:visible, .submit-row .button-text:visible")).to_have_count(0)

    form.locator("[type=submit]:visible").click()
    expect(page.locator("#country-error")).to_be_visible()  # the page did not have the list of countries
    page.locator("main form select[name=country]").select_option("GB")
    _send(page)

    page.wait_for_url("**/sent?*")
    number = parse_qs(urlsplit(page.url).query)["reference"][0]
    assert stored_value(site, "country", number) == "GB"


def test_the_contact_form_is_sent_without_its_scripts(visit: Visit, site: Site) -> None:
    page = visit("/faq", allowed=("interaction did not load", "Failed to load", "Failed to fetch", "ERR_FAILED"))
    page.route("**/assets/entry.client-*.js", lambda route: route.abort())
    page.goto(site.url + "/contact-us")
    _fill(page, "scripts@example.org")

    _send(page)

    _sent(page)


def test_a_press_of_clear_without_the_forms_scripts_sends_and_breaks_nothing(visit: Visit, site: Site) -> None:
    page = visit("/faq", allowed=("interaction did not load", "Failed to load", "Failed to fetch", "ERR_FAILED"))
    page.route("**/assets/entry.client-*.js", lambda route: route.abort())
    page.goto(site.url + "/contact-us")
    _fill(page, "cleared@example.org")

    clear = clear_button(page)
    clear.click()

    expect(clear).not_to_have_attribute("aria-busy", "true", timeout=20_000)  # the page has given up waiting for its scripts
    expect(page).to_have_url(site.url + "/contact-us")
    expect(page.locator("main form [name=email]")).to_have_value("cleared@example.org")
