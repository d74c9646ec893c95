"""The dialog in each of its states fits the screen, and axe finds nothing."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, WebSocketRoute, expect

from site_app.core.locales import LOCALES
from tests.browser.away import AWAY
from tests.browser.axe import COLOURS, findings
from tests.browser.booking.steps import (
    LOOKUP,
    book,
    book_as_another,
    choose,
    confirmed,
    end_hold,
    fill,
    hold,
    name_field,
    take,
)
from tests.browser.visit import Visit, hydrated
from tests.support.site_server import Site


def _settled(page: Page) -> None:
    """Expects a layout that fits, and no finding of axe in the dark; in the light only the rules that a theme affects."""
    assert findings(page) == []
    assert page.locator("dialog[open]").evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    page.evaluate("document.documentElement.classList.remove('dark')")
    assert findings(page, COLOURS) == []
    page.evaluate("document.documentElement.classList.add('dark')")


def test_a_lost_hold_is_booked_after_all_and_axe_finds_nothing_in_any_step(visit: Visit, site: Site) -> None:
    page = visit("/?open=consultation", timezone_id="Asia/Kathmandu", allowed=(LOOKUP,), width=360, dark=True)
    expect(page.locator(".slot").first).to_be_visible()
    _settled(page)

    page.clock.install()
    slot = choose(page, 1)
    hold(page)
    _settled(page)

    page.clock.fast_forward("10:05")
    expect(page.locator(".held[data-expired]")).to_be_visible()
    _settled(page)

    fill(page)
    end_hold(site, page)
    book_as_another(site, slot)
    book(page)
    expect(page.locator(".lost-title")).to_be_focused(timeout=10_000)
    expect(name_field(page)).to_have_value("Ada Lovelace")
    _settled(page)

    page.locator(".lost .slot input").nth(1).check()
    take(page)
    expect(page.locator(".hold-left")).to_be_visible()
    book(page)
    confirmed(page)
    _settled(page)


def test_missing_times_are_requested_again_and_axe_finds_nothing(visit: Visit, site: Site) -> None:
    page = visit("/faq", wait=False, allowed=AWAY, width=360, dark=True)
    silent: list[WebSocketRoute] = []
    page.route_web_socket("**/_event**", lambda line: silent.append(line))
    page.goto(f"{site.url}/?open=consultation")
    hydrated(page)

    expect(page.locator(".booking .skeleton-times")).to_be_visible()
    _settled(page)
    trouble = page.locator("dialog[open] .form-trouble")
    expect(trouble).to_be_visible()
    expect(trouble.locator("a")).to_have_attribute("href", "/book")
    _settled(page)
    page.unroute_all()
    page.route_web_socket("**/_event**", lambda line: line.connect_to_server())
    for line in silent:
        line.close()
    expect(page.locator(".slot").first).to_be_visible(timeout=30_000)


def test_a_failing_provider_is_retried_and_named_in_the_console(start_site: Callable[..., Site], visit: Visit) -> None:
    away = start_site(SITE_PROVIDER_URL="http://127.0.0.1:9")
    page = visit("/", on=away, allowed=(*AWAY, "500"))  # page views go to the provider, which is away

    with page.expect_console_message(lambda message: message.text.startswith("meetingSlots failed")):
        page.locator("main [commandfor=consultation-dialog]:visible").first.click()

    trouble = page.locator("dialog[open] .form-trouble")
    expect(trouble.locator("a")).to_have_attribute("href", "/book")
    with page.expect_console_message(lambda message: message.text.startswith("meetingSlots failed")):
        trouble.get_by_role("button").click()
    expect(page.locator("#booking-heading")).to_be_focused()


def test_without_free_times_other_contacts_are_offered(start_site: Callable[..., Site], visit: Visit) -> None:
    days = (datetime.now(UTC).date() + timedelta(days=at) for at in range(60))
    full = start_site(SITE_BOOKING_DAYS_OFF=",".join(day.isoformat() for day in days))

    page = visit("/?open=consultation", on=full, width=360, dark=True)

    expect(page.locator(".slots-none")).to_be_visible()
    _settled(page)


def test_a_laptop_shows_the_whole_choice_at_once_in_every_language(start_site: Callable[..., Site], visit: Visit) -> None:
    site = start_site(SITE_BOOKING_HORIZON="60d")  # so that the sheet has as many weeks as fit, whichever day it is
    for locale in LOCALES:
        page = visit(f"{locale.prefix}/?open=consultation", on=site, height=800, timezone_id="Asia/Bangkok", allowed=(LOOKUP,))
        expect(page.locator(".slot").first).to_be_visible()

        page.locator(".slot input").first.check()

        assert page.locator("dialog[open]").evaluate("dialog => dialog.scrollHeight <= dialog.clientHeight"), locale.id


BREAKS = """
window.media = matchMedia;
window.matchMedia = (query) => {
  if (query === "(pointer: fine)") throw new RangeError("unheard of");
  return media(query);
};
"""


def test_a_failing_dialog_leaves_the_page_intact_and_can_be_retried(visit: Visit) -> None:
    page = visit("/", script=BREAKS, allowed=(LOOKUP, "unheard of"))
    page.locator("main [commandfor=consultation-dialog]:visible").first.click()
    dialog = page.locator("#consultation-dialog")
    expect(dialog.get_by_role("alert")).to_be_visible()
    expect(page.locator("main h1")).to_have_count(1)

    page.evaluate("void (window.matchMedia = window.media)")
    dialog.get_by_role("alert").get_by_role("button").click()
    expect(dialog.get_by_role("heading").first).to_be_focused()

    expect(page.locator(".slot").first).to_be_visible()
