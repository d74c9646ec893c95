"""Booking steps of a visitor, and of another visitor who is faster."""

import sqlite3
import uuid
from typing import Any

import httpx
from playwright.sync_api import Locator, Page, expect

from tests.support.site_server import Site

# An unconfigured lookup fails at once and reports it on the console, as the specification requires.
LOOKUP = "unable to fetch the country"
KEY = {"X-API-Key": "website"}


def new_address() -> str:
    """Returns an address without a meeting: a mailbox may have one upcoming meeting."""
    return f"{uuid.uuid4().hex[:8]}@example.org"


def dialog(page: Page) -> Locator:
    return page.locator("dialog[open]")


def choose(page: Page, at: int = 0) -> str:
    """Chooses one of a whole day's times, once they are there; returns its id."""
    expect(page.locator(".slot").first).to_be_visible()
    if (days := page.locator(".calendar-day")).count():
        days.nth(1).click()
        # Otherwise the next line would find another day's times.
        expect(days.nth(1).locator("..")).to_have_attribute("aria-selected", "true")
    radio = page.locator(".times-form .slot input").nth(at)
    radio.check()
    return radio.input_value()


def go_on(page: Page) -> None:
    page.locator(".booking-bar button").click()


def details(page: Page) -> Locator:
    """Returns the heading of the second step."""
    return page.locator("dialog[open] section:has(.held, .lost) .step-title")


def hold(page: Page) -> None:
    go_on(page)
    expect(details(page)).to_be_focused()


def name_field(page: Page) -> Locator:
    return dialog(page).locator("[name=full_name]")


def fill(page: Page) -> None:
    name_field(page).fill("Ada Lovelace")
    dialog(page).locator("[name=email]").fill(new_address())


def reserve(page: Page, at: int = 0) -> str:
    """Chooses a time, holds it, and fills in the form; returns the time's id."""
    slot = choose(page, at)
    hold(page)
    fill(page)
    return slot


def book(page: Page) -> None:
    dialog(page).locator(".submit-button").click()


def take(page: Page) -> None:
    """Chooses the selected time in place of the lost one."""
    page.locator(".lost .submit-row [type=submit]").click()
    expect(page.locator(".lost")).to_have_count(0)


def plain_submit(page: Page) -> None:
    """Submits the form of a page without scripts."""
    page.locator("main form[method=post] > p:last-child button").click()


def confirmed(page: Page) -> Locator:
    """Returns the panel that confirms the meeting."""
    expect(page.locator(".result-title:visible")).to_be_visible(timeout=20_000)
    return page.locator(".result:visible")


def call(site: Site, name: str, **payload: Any) -> dict[str, Any]:
    """Calls API v1.0 as another visitor."""
    return httpx.post(f"{site.url}/v1.0/{name}", json=payload, headers=KEY, timeout=10).json()


def book_as_another(site: Site, slot: str, *, email: str = "") -> None:
    """Books that slot as another visitor, or with this address."""
    fields = {"key": str(uuid.uuid4()), "full_name": "Grace Hopper", "email": email or new_address(), "time_zone": "UTC"}
    token = httpx.get(f"{site.url}/v1.0/formToken", headers=KEY, timeout=10).json()["token"]
    reply = call(site, "bookMeeting", slot=slot, token=token, **fields)
    assert reply.get("ok"), reply


def end_hold(site: Site, page: Page) -> None:
    """Ends the page's hold, as if it had expired unnoticed."""
    draft = page.evaluate("JSON.parse(sessionStorage['draft:consultation'])")
    assert call(site, "releaseHold", hold=draft["beside"]["hold"])["ok"]


def is_free(site: Site, slot: str) -> bool:
    return slot in {slot_row["id"] for slot_row in call(site, "meetingSlots")["results"]}


def hosts(site: Site) -> list[tuple[str, str]]:
    """Returns the language and the host of every meeting in the database."""
    with sqlite3.connect(site.var / "site.db") as database:
        return database.execute("select call_language, host from meeting order by id").fetchall()


def meetings(site: Site) -> list[tuple[str, str, str, str]]:
    """Returns every meeting in the database: state, name, time zone, project information."""
    with sqlite3.connect(site.var / "site.db") as database:
        return database.execute("select state, full_name, time_zone, project_information from meeting order by id").fetchall()


def tab_to(page: Page, selector: str) -> None:
    """Presses Tab until this element has the focus."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
    raise AssertionError(f"no Tab leads to {selector}")
