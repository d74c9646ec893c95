"""What the dialog looks like in each of its states: whole, in every language's own clocks, and without a finding of axe."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from site_app.i18n import BY_ID, use
from site_app.i18n.clocks import both_clocks
from tests.browser.away import AWAY
from tests.browser.axe import findings
from tests.browser.booking.calls import (
    LOOKUP,
    book,
    choose,
    confirmed,
    fast_forward,
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
LONDON = ZoneInfo("Europe/London")
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
    page.route("**/v1.0/meetingSlots", lambda route: held.append(route))
    page.goto(f"{site.url}/?open=consultation")
    hydrated(page)
    fast_forward(page)

    expect(page.locator(".times-skeleton")).to_be_visible(timeout=15_000)
    _settled(page)
    until_true(page, lambda: held, within_ms=10_000)
    held[0].abort()
    trouble = page.locator("dialog[open] .form-trouble")
    expect(trouble).to_be_visible(timeout=15_000)
    _settled(page)
    page.unroute("**/v1.0/meetingSlots")
    page.route("**/v1.0/meetingSlots", lambda route: route.fulfill(json={"results": []}))
    trouble.locator("button").click()
    expect(page.locator(".slots-none")).to_be_visible(timeout=15_000)
    _settled(page)


@pytest.mark.parametrize(
    ("language", "zone"),
    [
        ("en", "Australia/Lord_Howe"),
        ("en", "Europe/London"),
        ("th", "America/New_York"),
        ("cn", "Asia/Kathmandu"),
    ],
)
def test_clocks_read_as_in_the_mails(visit: Visit, language: str, zone: str) -> None:
    page = visit(f"{BY_ID[language].prefix}/?open=consultation", width=360, timezone_id=zone, allowed=(LOOKUP,))
    expect(page.locator(".slot").first).to_be_visible(timeout=15_000)

    shown = page.locator(".slot").evaluate_all(
        "all => all.map(one => [one.querySelector('input').value, one.querySelector('.sr-only').textContent])"
    )

    with use(BY_ID[language]):
        for slot, name in shown:
            moment = datetime.strptime(slot, "%Y%m%dT%H%MZ").replace(tzinfo=UTC)
            assert name.endswith(both_clocks(moment, ZoneInfo(zone), LONDON)), name
