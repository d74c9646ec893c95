"""The exported pages on a static host, the API and the socket on another."""

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from site_app.content.routes import REDIRECTS
from tests.browser.booking.steps import LOOKUP, book, confirmed, meetings, reserve
from tests.browser.forms.filling import CONTACT, CONTACT_PAGE, reference, result, stored_value
from tests.browser.static_host import hosted
from tests.browser.visit import Visit, hydrated
from tests.browser.waiting import pass_time, stop_clock, until_true
from tests.support.site_server import PATIENT, ROOT, Site, environment, free_port


@pytest.fixture(scope="module")
def exported_pages(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Site]]:
    """Yields the URL of the static host, and the site behind it."""
    folder, port, app_port = tmp_path_factory.mktemp("export"), free_port(), free_port()
    own_settings = {"SITE_URL": "http://localhost:3000", "SITE_BACKEND_URL": f"http://localhost:{app_port}"}
    command = [sys.executable, "-m", "site_app", "export", str(folder / "out")]
    process = subprocess.run(command, cwd=ROOT, env=environment(own_settings), capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    app = Site(app_port, folder / "var", {**PATIENT, **own_settings, "SITE_URL": f"http://localhost:{port}"}).start()
    with hosted(folder / "out", port) as url:
        yield url, app
    app.kill()


@pytest.fixture
def site(exported_pages: tuple[str, Site]) -> Site:
    """Returns the site that stores the leads."""
    return exported_pages[1]


@pytest.fixture
def open_page(visit: Visit, exported_pages: tuple[str, Site]) -> Visit:
    """Opens a page of the static host."""

    class Host:
        url = exported_pages[0]

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
