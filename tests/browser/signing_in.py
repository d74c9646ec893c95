"""Signs a person in to the office with the link that the site prints in development."""

import re

from playwright.sync_api import Page, expect

from tests.support.site_server import Site

PHONE = {"width": 390, "height": 800, "wait": False}
_USED: set[str] = set()  # links that signed somebody in before


def signed_in(page: Page, site: Site, email: str, heading: str) -> Page:
    """Signs in on the page that asks for it, and waits for the page that was wanted."""
    page.get_by_label("Your email address").fill(email)
    page.get_by_role("button", name="Send me a link").click()
    page.goto(printed_link(page, site, email))
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    return page


def printed_link(page: Page, site: Site, email: str) -> str:
    """Returns the person's unused link."""
    for _ in range(400):
        for link in re.findall(rf"office as {re.escape(email)}: (\S+)", site.output()):
            if link not in _USED:
                _USED.add(link)
                return link
        page.wait_for_timeout(25)
    raise AssertionError("no link was printed")
