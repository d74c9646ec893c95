"""Booking the consultation in the dialog."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.away import AWAY
from tests.browser.booking.steps import (
    LOOKUP,
    book,
    book_as_another,
    choose,
    confirmed,
    details,
    dialog,
    end_hold,
    fill,
    go_on,
    hold,
    is_free,
    meetings,
    name_field,
    new_address,
    plain_submit,
    reserve,
    tab_to,
)
from tests.browser.visit import Visit, hydrated
from tests.browser.waiting import until_true
from tests.support.site_server import Site

CUTTABLE = """
const open = [];
window.WebSocket = class extends WebSocket {
  constructor(address, protocols) {
    super(window.isCut ? address.replace('/_event', '/nowhere') : address, protocols);
    open.push(this);
  }
};
window.cutSocket = () => {
  window.isCut = true;
  for (const socket of open) socket.close();
};
"""


@pytest.fixture
def open_booking(visit: Visit) -> Callable[..., Page]:
    """Opens the dialog with its times, for a visitor in Bangkok."""

    def open_dialog(path: str = "/?open=consultation", **options: Any) -> Page:
        page = visit(path, **({"timezone_id": "Asia/Bangkok", "allowed": (LOOKUP,)} | options))
        expect(page.locator(".slot").first).to_be_visible()
        return page

    return open_dialog


@pytest.fixture
def cut_off(open_booking: Callable[..., Page]) -> Page:
    """A time is held and the form filled in; then the socket is cut."""
    page = open_booking(script=CUTTABLE, allowed=AWAY)
    reserve(page)
    page.evaluate("cutSocket()")
    expect(page.locator(".held a[href='/book']")).to_be_visible()
    return page


def test_a_meeting_is_booked_with_the_keyboard_alone(visit: Visit, site: Site) -> None:
    page = visit("/", timezone_id="Asia/Bangkok", allowed=(LOOKUP,))

    tab_to(page, "main [commandfor=consultation-dialog]")
    page.keyboard.press("Enter")
    expect(page.locator(".slot").first).to_be_visible()
    tab_to(page, ".calendar-day")
    first = page.locator(".day-name").inner_text()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".day-name")).not_to_have_text(first)
    tab_to(page, ".slot input")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    clocks = page.locator(".slot:has(:checked) .sr-only").inner_text()
    expect(page.locator(".booking-chosen")).to_contain_text(clocks)
    chosen_lines = page.locator(".booking-chosen").inner_text()
    tab_to(page, ".booking-bar button")
    page.keyboard.press("Enter")
    expect(details(page)).to_be_focused()
    tab_to(page, "[name=full_name]")
    page.keyboard.type("Ada Lovelace")
    tab_to(page, "[name=email]")
    page.keyboard.type(new_address())
    tab_to(page, "[name=project_information]")
    page.keyboard.type("Keyboard only")
    tab_to(page, ".submit-button")
    page.keyboard.press("Enter")

    panel = confirmed(page)
    expect(panel.locator(".result-title")).to_be_focused()
    expect(panel).to_contain_text(re.compile("C-[2-9A-Z]{4}-[2-9A-Z]{2}"))
    assert chosen_lines
    assert all(line in panel.inner_text() for line in chosen_lines.splitlines())  # the day and both clocks
    assert ("booked", "Ada Lovelace", "Asia/Bangkok", "Keyboard only") in meetings(site)


def test_the_calendar_is_a_grid_for_the_keyboard(open_booking: Callable[..., Page]) -> None:
    page = open_booking(timezone_id="Asia/Calcutta")  # the zone's old name
    expect(page.locator("dialog[open] .step [role=combobox]").first).to_have_value(re.compile("^Kolkata"))
    page.locator(".calendar-day").first.focus()

    def day_after(key: str) -> date:
        page.keyboard.press(key)
        return date.fromisoformat(str(page.evaluate("document.activeElement.dataset.date")))

    dates = [
        date.fromisoformat(text)
        for text in page.locator(".calendar-day").evaluate_all("days => days.map(day => day.dataset.date)")
    ]
    second_week = day_after("ArrowDown")

    assert second_week == min(day for day in dates if day >= dates[0] + timedelta(days=7))
    ends = [day_after(key) for key in ("End", "Home", "ArrowLeft", "PageDown", "PageUp")]
    week = [day for day in dates if day.isocalendar().week == second_week.isocalendar().week]
    assert ends[:3] == [week[-1], week[0], dates[dates.index(week[0]) - 1]]
    assert ends[3] >= ends[2] + timedelta(days=28) or ends[3] == dates[-1]
    assert ends[4] <= ends[3] - timedelta(days=28) or ends[4] == dates[0]


def test_going_on_without_a_time_asks_for_one(open_booking: Callable[..., Page]) -> None:
    page = open_booking()
    button = page.locator(".booking-bar button")
    expect(button).to_have_attribute("aria-disabled", "true")

    button.press("Enter")

    expect(page.locator(".booking-bar [role=alert]")).to_be_visible()
    page.locator(".times-form .slot input").first.check()
    expect(button).not_to_have_attribute("aria-disabled")


def test_the_dialog_does_not_move_when_a_day_is_chosen(open_booking: Callable[..., Page]) -> None:
    page = open_booking()
    days, places = page.locator(".calendar-day"), set()

    for at in range(days.count()):
        days.nth(at).click()
        chosen_date = str(days.nth(at).get_attribute("data-date"))
        expect(page.locator("[aria-selected=true] > .calendar-day")).to_have_attribute("data-date", chosen_date)
        expect(page.locator(".booking > [role=status]")).to_have_text(page.locator(".day-name").inner_text())
        places.add(page.evaluate("JSON.stringify(document.querySelector('dialog[open]').getBoundingClientRect())"))

    assert len(places) == 1


def test_the_button_of_the_dialog_says_what_comes_next(open_booking: Callable[..., Page]) -> None:
    page = open_booking()
    button = page.locator(".booking-bar button")

    expect(button).to_have_text("Continue")
    page.locator(".times-form .slot input").first.check()
    time = page.locator(".slot:has(:checked) .slot-time").inner_text()
    expect(button).to_have_text(re.compile(rf"^Continue: (Mon|Tue|Wed|Thu|Fri|Sat|Sun) {time}$"))


def test_keys_and_buttons_lead_through_all_weeks_of_a_long_calendar(
    open_booking: Callable[..., Page], start_site: Callable[..., Site]
) -> None:
    page = open_booking(on=start_site(SITE_BOOKING_HORIZON="100d"))
    weeks, focused, earlier = (page.locator(f".calendar-{part}") for part in ("span", "day:focus", "head button >> nth=0"))
    first = weeks.inner_text()
    page.locator(".calendar-day").first.focus()

    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    expect(weeks).not_to_have_text(first)
    expect(focused).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("[aria-selected=true] > .calendar-day:focus")).to_have_count(1)

    earlier.click()
    expect(weeks).to_have_text(first)
    expect(earlier).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".calendar-day[tabindex='0']")).to_have_count(1)


def test_a_changed_zone_is_booked_and_the_confirmation_has_its_links(open_booking: Callable[..., Page], site: Site) -> None:
    page = open_booking()
    zone = page.locator("dialog[open] .step [role=combobox]").first
    expect(zone).to_have_value(re.compile(r"^Bangkok, Thailand \(UTC\+07:00\)$"))

    zone.fill("new york")
    page.keyboard.press("Enter")
    expect(zone).to_have_value(re.compile(r"^New York, United States \(UTC-0[45]:00\)$"))
    expect(page.locator(".slot").first).to_contain_text("New York")
    choose(page, 1)
    expect(page.locator(".booking-chosen")).to_contain_text(re.compile(r"\d\d:\d\d New York · \d\d:\d\d London"))
    hold(page)
    fill(page)
    book(page)
    panel = confirmed(page)
    expect(panel).to_contain_text("New York")
    assert meetings(site)[-1][2] == "America/New_York"

    with page.expect_download() as download:
        panel.locator("a[download]").click()
    assert b"BEGIN:VCALENDAR" in download.value.path().read_bytes()
    for calendar in ("calendar.google", "outlook"):
        expect(panel.locator(f"a[href^='https://{calendar}']")).to_be_visible()
    panel.locator(".booked-manage a").click()
    page.wait_for_url("**/meetings/*")
    expect(page.locator("h1")).to_be_visible()


def test_a_hold_lasts_while_the_dialog_is_open_and_its_input_is_kept_longer(
    open_booking: Callable[..., Page], site: Site
) -> None:
    page = open_booking("/contact-us?open=consultation")
    slot = reserve(page)
    assert not is_free(site, slot)

    dialog(page).locator(".dialog-head button").click()
    until_true(page, lambda: is_free(site, slot))
    page.locator("main [commandfor=consultation-dialog]").first.click()
    until_true(page, lambda: not is_free(site, slot))
    expect(name_field(page)).to_have_value("Ada Lovelace")
    expect(page.locator(".hold-left")).to_be_visible()

    page.goto(f"{site.url}/faq?open=consultation")
    hydrated(page)
    expect(page.locator(".hold-left")).to_be_visible()
    expect(name_field(page)).to_have_value("Ada Lovelace")
    until_true(page, lambda: not is_free(site, slot))

    page.goto("about:blank")
    until_true(page, lambda: is_free(site, slot))


def test_a_time_lost_before_its_hold_is_replaced_by_the_nearest_or_another(
    open_booking: Callable[..., Page], site: Site
) -> None:
    page = open_booking(allowed=(LOOKUP, "409"))
    book_as_another(site, choose(page, 1))

    go_on(page)
    expect(page.locator(".lost-title")).to_be_focused()
    expect(page.locator(".lost .slot input")).to_have_count(3)
    nearest = page.locator(".lost .slot input").first
    nearest.check()
    first = nearest.input_value()
    hold(page)

    page.locator(".held-actions .button-text").click()
    expect(page.locator(".step-title")).to_be_focused()
    expect(page.locator(f".slot input[value='{first}']")).to_be_checked()
    second = choose(page, 6)
    hold(page)
    until_true(page, lambda: is_free(site, first))
    assert not is_free(site, second)


def test_who_has_a_call_already_reads_that_the_chosen_time_is_free_again(open_booking: Callable[..., Page], site: Site) -> None:
    page = open_booking(allowed=(LOOKUP, "409"))
    email = dialog(page).locator("[name=email]")
    earlier = page.locator(".slot input").last.input_value()
    slot = reserve(page, 2)
    book_as_another(site, earlier, email=email.input_value())
    expect(page.locator(".hold-left")).to_be_visible()

    book(page)

    expect(email).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".hold-left")).to_have_count(0)
    assert is_free(site, slot)
    page.locator(".held-actions button").first.click()
    expect(page.locator(".hold-left")).to_be_visible()
    email.fill(new_address())
    book(page)
    expect(confirmed(page)).to_be_visible()


def test_an_ending_hold_is_announced_and_can_be_extended_or_renewed(open_booking: Callable[..., Page], site: Site) -> None:
    page = open_booking()
    time_left, notice = page.locator(".hold-left"), page.locator(".snackbar")
    full_time = re.compile(r"^(10:00|9:5\d)$")
    page.clock.install()
    slot = reserve(page)
    expect(time_left).to_have_text(full_time)
    assert page.locator(".hold-clock").evaluate("clock => clock.closest('[aria-live], [role=status], [role=alert]')") is None

    longer = page.locator(".held-longer")
    text_only = longer.evaluate("button => getComputedStyle(button).backgroundColor")
    page.clock.fast_forward("08:05")
    expect(longer).not_to_have_css("background-color", text_only)
    expect(notice).to_be_visible()
    notice.locator(".snackbar-action").click()
    expect(time_left).to_have_text(full_time)
    expect(notice).to_have_count(0)

    page.clock.fast_forward("10:05")
    page.locator(".held[data-expired] .held-actions .button").click()
    expect(time_left).to_have_text(full_time)
    expect(name_field(page)).to_have_value("Ada Lovelace")

    page.locator(".held-actions .button-text").click()  # look at other times; the held one is kept
    other_slot = choose(page, 4)
    page.clock.fast_forward("08:05")
    page.locator(".snackbar-action").click()
    expect(notice).to_have_count(0)
    expect(page.locator(f".slot input[value='{other_slot}']")).to_be_checked()
    assert not is_free(site, slot)


def test_a_meeting_is_booked_after_the_socket_was_cut(cut_off: Page) -> None:
    book(cut_off)

    expect(confirmed(cut_off).locator(".booked-manage a")).to_be_visible()


def test_without_the_socket_the_plain_page_takes_over_the_hold_and_the_input(cut_off: Page, site: Site) -> None:
    slot = str(cut_off.evaluate("JSON.parse(sessionStorage['draft:consultation']).beside.slot"))
    when = cut_off.locator(".held-when strong").inner_text()
    cut_off.evaluate("sessionStorage.attribution = 'ref=A2C3D4E5'")

    cut_off.locator(".held a[href='/book']").click()
    cut_off.wait_for_url("**/book/details?*")

    expect(cut_off.locator("[name=full_name]")).to_have_value("Ada Lovelace")
    expect(cut_off.locator("[name=attribution]")).to_have_value("ref=A2C3D4E5")
    expect(cut_off.locator("dd").first).to_contain_text(when)
    assert not is_free(site, slot)
    plain_submit(cut_off)
    cut_off.wait_for_url("**/meetings/*")
    assert meetings(site)[-1][:3] == ("booked", "Ada Lovelace", "Asia/Bangkok")


def test_a_server_that_lost_its_state_gets_it_from_the_page_again(
    open_booking: Callable[..., Page], stoppable_site: Site
) -> None:
    page = open_booking(allowed=AWAY)
    slot = reserve(page)
    end_hold(stoppable_site, page)

    stoppable_site.kill()
    stoppable_site.start()

    until_true(page, lambda: not is_free(stoppable_site, slot))
    expect(page.locator(".hold-left")).to_be_visible()
    book(page)
    expect(confirmed(page).locator(".booked-manage a")).to_be_visible()


def test_without_the_socket_the_plain_page_takes_over_a_time_without_a_hold(
    open_booking: Callable[..., Page],
) -> None:
    page = open_booking(script=CUTTABLE, allowed=AWAY)
    slot = choose(page, -1)
    page.evaluate("sessionStorage.attribution = 'ref=A2C3D4E5'; cutSocket()")

    dialog(page).locator("[role=alert] a[href='/book']").click()

    expect(page.locator("[name=attribution]").first).to_have_value("ref=A2C3D4E5")
    expect(page.locator(f"input[name=slot][value='{slot}']")).to_be_checked()
    expect(page.locator("[name=zone]").first).to_have_value("Asia/Bangkok")


def test_without_a_socket_the_dialog_leads_to_the_plain_page(visit: Visit) -> None:
    page = visit("/?open=consultation", socket=False, allowed=AWAY)

    dialog(page).locator("[role=alert] a[href='/book']").click()

    expect(page.locator("input[name=slot]").first).to_be_visible()
