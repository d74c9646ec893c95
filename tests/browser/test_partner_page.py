"""A partner's page in the browser: a link is copied, and is shown in a field where there is no script."""

import hashlib
import re
import sqlite3
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings
from tests.browser.visit import Visit
from tests.support.site_server import Site

TOKEN = "a-token-of-a-partner-who-tries-the-page"


@pytest.fixture
def partner(site: Site) -> Iterator[None]:
    """Stores a partner whose page has TOKEN."""
    columns = {
        "code": "K7F3M29Q",
        "application": "A-7F3K-29",
        "name": "Pat",
        "email": "pat@partner.example",
        "paypal": "pat@partner.example",
        "language": "en",
        "state": "active",
        "terms_version": "2026-11-25",
        "applied_at": "2026-01-01 00:00:00",
        "approved_on": "2026-01-05",
    }
    with sqlite3.connect(site.var / "site.db") as database:
        database.execute(
            f"INSERT INTO partner ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})", [*columns.values()]
        )
        token_hash = hashlib.sha256(TOKEN.encode()).hexdigest()
        database.execute("INSERT INTO partner_link SELECT ?, id FROM partner WHERE code = ?", [token_hash, columns["code"]])
    yield
    with sqlite3.connect(site.var / "site.db") as database:
        database.execute("DELETE FROM partner_link")
        database.execute("DELETE FROM partner")


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.usefixtures("partner")
def test_a_link_is_copied(visit: Visit, site: Site, width: int) -> None:
    page = visit(f"/partners/{TOKEN}", wait=False, width=width, permissions=["clipboard-read", "clipboard-write"])
    buttons = page.get_by_role("button", name="Copy")
    expect(buttons).to_have_count(3)

    buttons.nth(1).click()

    expect(page.get_by_role("status").nth(1)).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#short-link").input_value()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.usefixtures("partner")
def test_without_javascript_a_link_stands_in_a_field(visit: Visit) -> None:
    page = visit(f"/partners/{TOKEN}", javascript=False)

    expect(page.locator("#form-link")).to_have_value(re.compile(r"/r/K7F3M29Q/contact-us$"))
    expect(page.locator("[data-copies]:visible")).to_have_count(0)
