"""The exported pages on a static host, the API and the socket on another."""

import re

import pytest
from playwright.sync_api import expect

from site_app.content.routes import REDIRECTS
from tests.browser.booking.steps import LOOKUP, book, confirmed, meetings, reserve
from tests.browser.forms.filling import CONTACT, CONTACT_PAGE, reference, result, stored_value
from tests.browser.visit import Visit, hydrated
from tests.browser.waiting import pass_time, stop_clock, until_true
from tests.support.site_server import Site


@pytest.fixture
def site(exported_site: Site) -> Site:
    """Returns the site that stores the leads."""
    return exported_site


@pytest.fixture
def open_page(visit: Visit, exported_pages: str) -> Visit:
    """Opens a page of the static host."""

    class Host:
        url = exported_pages

    return lambda path, **options: visit(path, on=Host(), **options)


def test_the_contact_form_reaches_its_provider_elsewhere(open_page: Visit, site: Site) -> None:
    sockets: list[str] = []
    page = open_page("/faq", timezone_id="Asia/Bangkok", allowed=(LOOKUP,))
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.goto(page.url.replace("/faq", CONTACT_PAGE.path))
    hydrated(page)
    until_true(page, lambda: any(f":{site.port}/_event" in url for url in sockets), within_ms=20_000)
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))

    CONTACT_PAGE.button(page).click()

    assert stored_value(site, "email", reference(page)) == "ada@example.org"


def test_a_dialog_sends_by_http_without_a_socket(open_page: Visit, site: Site) -> None:
    page = open_page(CONTACT.path, wait=False, socket=False, allowed=(LOOKUP,))
    CONTACT.on(page).wait_for(timeout=20_000)
    CONTACT.fill(CONTACT.on(page))
    stop_clock(page)

    CONTACT.button(page).click()
    pass_time(page, lambda: result(page).is_visible())

    assert stored_value(site, "email", reference(page)) == "ada@example.org"


def test_a_meeting_is_booked_and_its_page_is_on_the_apis_host(open_page: Visit, site: Site) -> None:
    page = open_page("/?open=consultation", timezone_id="Asia/Bangkok", allowed=(LOOKUP,))
    reserve(page)
    book(page)

    link = confirmed(page).locator(".booked-manage a")

    expect(link).to_have_attribute("href", re.compile(f"^http://localhost:{site.port}/meetings/"))
    assert ("booked", "Ada Lovelace", "Asia/Bangkok", "") in meetings(site)


def test_without_javascript_the_contact_form_is_posted_to_the_other_host(open_page: Visit, site: Site) -> None:
    page = open_page("/contact-us", javascript=False)
    CONTACT_PAGE.fill(page.locator("main form"))
    page.locator("main form [type=submit]").click()

    page.wait_for_url(f"http://localhost:{site.port}/contact-us/sent?*")
    expect(page.locator("h1")).to_be_visible()


def test_the_static_host_has_the_servers_redirects(open_page: Visit, site: Site) -> None:
    page = open_page("/services?a=1", wait=False, allowed=(LOOKUP, "404"))
    assert page.url.endswith(f"{REDIRECTS['/services']}?a=1")

    page.goto(page.url.partition("/services")[0] + "/th/nowhere")
    expect(page.locator(".snackbar-warning")).to_be_visible()

    page.context.add_cookies([{"name": "lang", "value": "th", "url": page.url}])
    page.goto(page.url.partition("/th")[0].rstrip("/") + "/faq?a=1")
    page.wait_for_url("**/th/faq?a=1")
    expect(page.locator("html")).to_have_attribute("lang", "th")
