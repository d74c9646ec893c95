"""What the dialog looks like in each of its states: whole, and without a finding of axe."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from site_app.i18n import BY_ID
from tests.browser.away import AWAY
from tests.browser.axe import findings
from tests.browser.booking.calls import (
    LOOKUP,
    TIMES,
    book,
    choose,
    confirmed,
    fill,
    hold,
    let_go,
    snatch,
    take,
    without_socket,
)
from tests.browser.conftest import hydrated
from tests.browser.server import Site
from tests.browser.waiting import until_true

Visit = Callable[..., Page]
SEEN = [  # colours do not depend on the width
    pytest.param({"width": 360, "dark": True}, id="360-dark"),
    pytest.param({"width": 1280, "dark": False}, id="1280-light"),
]


def _settled(page: Page) -> None:
    assert findings(page) == []
    box = page.locator("dialog[open]")
    assert box.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")


@pytest.mark.parametrize("seen", SEEN)
def test_axe_finds_nothing_on_the_way_to_a_call(visit: Visit, site: Site, seen: dict[str, Any]) -> None:
    page = visit("/?open=consultation", timezone_id="Asia/Kathmandu", allowed=(LOOKUP,), **seen)
    expect(page.locator(".slot").first).to_be_visible(timeout=15_000)
    _settled(page)

    page.clock.install()
    slot = choose(page, 1)
    hold(page)
    _settled(page)

    page.clock.fast_forward("10:05")
    expect(page.locator(".held[data-lapsed]")).to_be_visible()
    _settled(page)

    fill(page)
    let_go(site, page)
    snatch(site, slot)
    book(page)
    expect(page.locator(".lost-title")).to_be_focused(timeout=10_000)
    _settled(page)

    page.locator(".lost .slot input").nth(1).check()
    take(page)
    expect(page.locator(".hold-left")).to_be_visible()
    book(page)
    confirmed(page)
    _settled(page)


def test_axe_finds_nothing_where_there_are_no_times(visit: Visit, site: Site) -> None:
    page = visit("/", wait=False, allowed=AWAY, width=360, dark=True)
    without_socket(page)
    held: list[Any] = []
    page.route(TIMES, lambda route: held.append(route))
    page.goto(f"{site.url}/?open=consultation")
    hydrated(page)

    expect(page.locator(".times-skeleton")).to_be_visible(timeout=15_000)
    _settled(page)
    until_true(page, lambda: held, within_ms=10_000)
    held[0].abort()
    trouble = page.locator("dialog[open] .form-trouble")
    expect(trouble).to_be_visible(timeout=15_000)
    _settled(page)
    page.unroute(TIMES)
    page.route(TIMES, lambda route: route.fulfill(json={"zone": "UTC", "zones": [], "days": [], "sheets": []}))
    trouble.locator("button").click()
    expect(page.locator(".slots-none")).to_be_visible(timeout=15_000)
    _settled(page)


@pytest.mark.parametrize("language", ["en", "th", "cn"])
def test_a_laptop_shows_the_whole_choice_at_once(start_site: Callable[..., Site], visit: Visit, language: str) -> None:
    path = f"{BY_ID[language].prefix}/?open=consultation"
    page = visit(path, on=start_site(), height=800, timezone_id="Asia/Bangkok", allowed=(LOOKUP,))
    expect(page.locator(".slot").first).to_be_visible(timeout=15_000)

    page.locator(".slot input").first.check()

    assert page.locator("dialog[open]").evaluate("dialog => dialog.scrollHeight <= dialog.clientHeight")


BREAKS = """
window.media = matchMedia;
window.matchMedia = (query) => {
  if (query === "(pointer: fine)") throw new RangeError("unheard of");
  return media(query);
};
"""


def test_a_dialog_that_breaks_leaves_the_page_whole_and_can_be_tried_again(visit: Visit) -> None:
    page = visit("/", wait=False, allowed=(LOOKUP, "unheard of"))
    page.add_init_script(BREAKS)
    page.reload()
    hydrated(page)
    page.locator("main [commandfor=consultation-dialog]:visible").first.click()
    dialog = page.locator("#consultation-dialog")
    expect(dialog.get_by_role("alert")).to_be_visible(timeout=15_000)
    expect(page.locator("main h1")).to_have_count(1)

    page.evaluate("void (window.matchMedia = window.media)")
    dialog.get_by_role("alert").get_by_role("button").click()

    expect(page.locator(".slot").first).to_be_visible(timeout=15_000)
