"""Browsers of the oldest versions that docs/guide/looks.md names: what they lack is removed from Chromium and from the pages."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.booking.steps import LOOKUP, confirmed, details, fill, go_on, meetings
from tests.browser.forms.filling import CONTACT_PAGE, new_leads, reference
from tests.browser.forms.filling import leads as stored_leads
from tests.browser.visit import Visit, hydrated
from tests.browser.waiting import show_message, until
from tests.support.site_server import Site

_LACKING = """
delete AbortSignal.timeout;
delete HTMLButtonElement.prototype.commandForElement;
delete HTMLDialogElement.prototype.closedBy;
for (const name of ['popover', 'showPopover', 'hidePopover', 'togglePopover']) delete HTMLElement.prototype[name];
for (const name of ['ariaLabel', 'ariaCurrent', 'ariaPressed']) delete Element.prototype[name];
addEventListener('command', event => event.preventDefault(), true);
const supports = CSS.supports; CSS.supports = (...asked) => !`${asked}`.includes('popover') && supports.apply(CSS, asked);
"""
_UNKNOWN_STYLE = re.compile(r":has\(|color-mix\(")
OpenOld = Callable[..., Page]


def _lose_style(route: Route) -> None:
    """Renames what an older browser does not know in styles, so that Chromium does not know it either."""
    reply = route.fetch()
    route.fulfill(response=reply, body=_UNKNOWN_STYLE.sub(lambda name: f"{name[0][:-1]}-unknown(", reply.text()))


@pytest.fixture
def open_old(visit: Visit, site: Site) -> OpenOld:
    """Opens a page in a browser without these functions. The policy has hashes of the styles, and a changed page counts as one from elsewhere."""

    def open_page(path: str, **options: Any) -> Page:
        options |= {"script": _LACKING, "bypass_csp": True, "permissions": ["local-network-access"], "allowed": (LOOKUP,)}
        page = visit("/healthz", wait=False, **options)
        page.route(re.compile(r"\.css$"), _lose_style)
        page.route(lambda url: url == site.url + path, _lose_style)
        page.goto(site.url + path)
        hydrated(page)
        return page

    return open_page


def test_an_older_browser_books_a_call(open_old: OpenOld, site: Site) -> None:
    page = open_old("/?open=consultation", timezone_id="Asia/Bangkok")
    form = page.locator(".booking-form > form")
    slot = page.locator(".times-form .slot input").first
    expect(slot).to_be_visible()
    expect(form).to_be_hidden()

    slot.check()

    assert slot.evaluate("radio => [getComputedStyle(radio).opacity, getComputedStyle(radio).position]") == ["1", "static"]
    go_on(page)
    expect(details(page)).to_be_focused()
    expect(form).to_be_visible()
    fill(page)
    page.locator("dialog[open] .submit-button").click()
    confirmed(page)
    assert meetings(site)[-1][:2] == ("booked", "Ada Lovelace")


@pytest.mark.parametrize("socket", [True, False], ids=["by socket", "by HTTP"])
def test_an_older_browser_sends_a_form(open_old: OpenOld, site: Site, socket: bool) -> None:
    leads_before = stored_leads(site)
    page = open_old(CONTACT_PAGE.path, socket=socket)
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))

    CONTACT_PAGE.button(page).click()

    assert [reference(page, within_ms=30_000)] == new_leads(leads_before, site)
    expect(page.locator(".snackbar-success .icon-button")).to_have_attribute("aria-label", "Dismiss")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_grounds_of_texts_keep_their_colours(open_old: OpenOld, dark: bool) -> None:
    page = open_old("/", dark=dark)
    show_message(page, type="info", text="Readable?")
    # The colour is in the whole stylesheet, which is loaded after the page's own styles.
    until(page, "getComputedStyle(document.body).getPropertyValue('--color-primary-hover') !== ''")

    grounds = page.evaluate(
        """["primary-hover", "primary-soft"].map(name => {
          const box = document.body.appendChild(document.createElement("div"));
          box.style.background = `var(--color-${name})`;
          return getComputedStyle(box).backgroundColor;
        })"""
    )
    assert grounds == (["rgb(204, 189, 245)", "rgb(37, 30, 52)"] if dark else ["rgb(77, 52, 137)", "rgb(238, 234, 246)"])
