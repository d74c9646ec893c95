"""Every page as it first arrives: readable, whole, without a complaint."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from site_app.i18n import LOCALES
from site_app.routes import ROUTES
from tests.browser.axe import findings

ALL = [(locale.prefix + route.path).rstrip("/") or "/" for locale in LOCALES for route in ROUTES]
ENGLISH = [route.path for route in ROUTES]
Visit = Callable[..., Page]


@pytest.mark.parametrize("path", ALL)
def test_a_page_can_be_read_without_javascript(visit: Visit, path: str) -> None:
    page = visit(path, javascript=False, width=320)

    assert page.locator("h1").count() == 1
    assert page.locator("h1").is_visible()
    assert page.locator("main").inner_text().strip()
    assert page.get_by_role("contentinfo").is_visible()


@pytest.mark.parametrize("path", ENGLISH)
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_no_page_scrolls_sideways(visit: Visit, path: str, width: int) -> None:
    page = visit(path, width=width, wait=False)

    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("path", ENGLISH)
def test_axe_finds_nothing(visit: Visit, path: str, dark: bool) -> None:
    page = visit(path, dark=dark)

    assert findings(page) == []
