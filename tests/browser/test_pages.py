"""Every page as it first arrives: readable, whole, without a complaint."""

import re
import urllib.request
from collections.abc import Callable

import brotli
import pytest
from playwright.sync_api import Page

from site_app.i18n import LOCALES
from site_app.routes import ROUTES
from tests.browser.axe import findings
from tests.browser.server import Site

ALL = [(locale.prefix + route.path).rstrip("/") or "/" for locale in LOCALES for route in ROUTES]
ENGLISH = [route.path for route in ROUTES]
Visit = Callable[..., Page]


@pytest.mark.parametrize("path", ALL)
def test_a_page_can_be_read_without_javascript(visit: Visit, path: str) -> None:
    page = visit(path, javascript=False)

    assert page.locator("h1").count() == 1
    assert page.locator("h1").is_visible()
    assert page.locator("main").inner_text().strip()
    assert page.get_by_role("contentinfo").is_visible()


@pytest.mark.parametrize("path", ALL)
def test_no_page_scrolls_sideways(visit: Visit, path: str) -> None:
    page = visit(path, width=1280, wait=False)

    for width in (1280, 768, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("path", ENGLISH)
def test_axe_finds_nothing(visit: Visit, path: str, dark: bool) -> None:
    page = visit(path, dark=dark)

    assert findings(page) == []


@pytest.mark.parametrize("path", ALL)
def test_the_first_load_is_small(site: Site, path: str) -> None:
    """What a visitor waits for: the page with its style, the boot script, the headline's face."""
    page = _compressed(site, path)
    boot = re.search(rb'src="(/assets/boot-[^"]+)"', brotli.decompress(page))
    assert boot

    first = len(page) + len(_compressed(site, boot[1].decode())) + len(_compressed(site, "/fonts/instrument-sans-640.woff2"))

    assert len(page) <= (14_000 if path in ("/", "/th", "/cn") else 20_000)
    assert first <= 30_000


def _compressed(site: Site, path: str) -> bytes:
    asked = urllib.request.Request(site.url + path, headers={"Accept-Encoding": "br"})
    with urllib.request.urlopen(asked) as answer:
        return answer.read()
