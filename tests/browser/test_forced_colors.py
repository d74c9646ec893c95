"""With forced colours, chosen options and the edges of a dialog stay visible."""

from playwright.sync_api import Locator, expect

from tests.browser.booking.steps import choose
from tests.browser.visit import Visit

_GROUND = "element => getComputedStyle(element).backgroundColor"


def _ground(element: Locator) -> str:
    return element.evaluate(_GROUND)


def test_a_dialog_has_an_edge_and_its_chosen_day_and_time_differ_from_all_others(visit: Visit) -> None:
    page = visit("/?open=consultation", forced_colors="active")
    expect(page.locator(".slot").first).to_be_visible()

    choose(page, 1)

    assert _ground(page.locator(".slot:has(:checked)")) != _ground(page.locator(".slot:not(:has(:checked))").first)
    chosen_day = page.locator("[aria-selected=true] > .calendar-day")
    assert _ground(chosen_day) != _ground(page.locator("[aria-selected=false] > .calendar-day").first)
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 900})
        edge = page.get_by_role("dialog").evaluate(
            "element => { const style = getComputedStyle(element); return [style.borderTopStyle, parseFloat(style.borderTopWidth) >= 1] }"
        )
        assert edge == ["solid", True], width


def test_the_chosen_time_of_the_plain_page_differs_from_all_others(visit: Visit) -> None:
    page = visit("/book", forced_colors="active", wait=False)

    days = page.locator(".calendar-day")
    days.nth(days.count() // 2).click()  # the first day has a single time left at some hours
    expect(days.nth(days.count() // 2)).to_have_attribute("aria-current", "true")

    page.locator("input[name=slot]").nth(1).check()

    assert _ground(page.locator(".slot:has(:checked)")) != _ground(page.locator(".slot:not(:has(:checked))").first)
