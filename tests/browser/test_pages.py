"""Every page as it first arrives: readable, whole, without a complaint."""

import re
import urllib.request
from collections.abc import Callable
from http.client import HTTPResponse

import brotli
import pytest
from playwright.sync_api import Page, expect

from site_app.i18n import BY_ID, LOCALES, Locale
from site_app.routes import ROUTES
from tests.browser.axe import findings
from tests.browser.server import Site
from tests.browser.waiting import until

Visit = Callable[..., Page]
every_language = pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: locale.id)


def _pages(locale: Locale) -> list[str]:
    return [(locale.prefix + route.path).rstrip("/") or "/" for route in ROUTES]


@every_language
def test_every_page_can_be_read_without_javascript(visit: Visit, site: Site, locale: Locale) -> None:
    page = visit(ROUTES[0].path, javascript=False)

    for path in _pages(locale):
        page.goto(site.url + path)
        assert page.locator("h1").count() == 1, path
        assert page.locator("h1").is_visible(), path
        assert page.locator("main").inner_text().strip(), path
        assert page.get_by_role("contentinfo").is_visible(), path


def test_the_manifest_may_be_fetched(visit: Visit) -> None:
    """A browser fetches it when it is asked to put the site among its apps; the policy must let it."""
    page = visit(ROUTES[0].path)

    asked = page.context.new_cdp_session(page).send("Page.getAppManifest")

    assert asked["url"].endswith("/site.webmanifest")
    assert asked["errors"] == []
    assert '"name"' in asked["data"]


@every_language
def test_no_page_scrolls_sideways(visit: Visit, site: Site, locale: Locale) -> None:
    page = visit(ROUTES[0].path, wait=False)

    wide = {}
    for path in _pages(locale):
        page.goto(site.url + path)
        for width in (1280, 768, 320):
            page.set_viewport_size({"width": width, "height": 800})
            wide[path, width] = page.evaluate("document.documentElement.scrollWidth")

    assert {where: found for where, found in wide.items() if found > where[1]} == {}


_SHIFTS = """new PerformanceObserver((seen) => {
  for (const { value } of seen.getEntries()) window.shifted = (window.shifted ?? 0) + value;
}).observe({ type: "layout-shift", buffered: true })"""
GOOD_SHIFT = 0.1  # what web.dev calls good; a headline may break its lines elsewhere in its own face


@pytest.mark.parametrize("width", [412, 1280])
def test_nothing_jumps_while_a_page_appears(visit: Visit, site: Site, width: int) -> None:
    page = visit(ROUTES[0].path, wait=False, width=width)
    page.add_init_script(_SHIFTS)

    shifted = {}
    for path in _pages(BY_ID["en"]):
        page.goto(site.url + path)
        page.mouse.move(1, 1)
        until(page, "window.__hydrated")
        shifted[path] = page.evaluate("window.shifted ?? 0")

    assert {path: shift for path, shift in shifted.items() if shift > GOOD_SHIFT} == {}


@pytest.mark.parametrize("path", [route.path for route in ROUTES])
def test_axe_finds_nothing_in_light_and_in_dark(visit: Visit, path: str) -> None:
    page = visit(path)
    assert findings(page) == []

    page.get_by_role("button", name="Use the dark theme").click()
    expect(page.locator("html.dark")).to_have_count(1)
    assert findings(page) == []


@pytest.mark.parametrize("path", [path for locale in LOCALES for path in _pages(locale)])
def test_the_first_load_is_small(site: Site, path: str) -> None:
    """What a visitor waits for: the page with its style, the boot script, the headline's face."""
    page = _compressed(site, path)
    boot = re.search(rb'src="(/assets/boot-[^"]+)"', brotli.decompress(page))
    assert boot

    first = len(page) + len(_compressed(site, boot[1].decode())) + len(_compressed(site, "/fonts/instrument-sans-640.woff2"))

    assert len(page) <= (14_000 if path in ("/", "/th", "/cn") else 20_000)
    assert first <= 30_000


@pytest.mark.parametrize("path", [path for locale in LOCALES for path in _pages(locale)])
def test_a_page_and_its_headers_come_without_a_second_round_trip(site: Site, path: str) -> None:
    """A server sends ten packets and then waits until it hears that they arrived."""
    with _asked(site, path) as answer:
        headers = "".join(f"{name}: {value}\r\n" for name, value in answer.headers.items())

        assert len(headers) + len(answer.read()) <= 10 * 1460


def _compressed(site: Site, path: str) -> bytes:
    with _asked(site, path) as answer:
        return answer.read()


def _asked(site: Site, path: str) -> HTTPResponse:
    return urllib.request.urlopen(urllib.request.Request(site.url + path, headers={"Accept-Encoding": "br"}))
