"""What other engines do otherwise than Chromium, played by a script that runs before the page's own."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.booking.calls import LOOKUP, choose
from tests.browser.conftest import hydrated

Visit = Callable[..., Page]

# WebKit's tables write a Canadian date as 11/23/2026.
SLASHES = r"""
const plain = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format").get;
Object.defineProperty(Intl.DateTimeFormat.prototype, "format", { get() {
  const words = plain.call(this);
  return (moment) => words(moment).replace(/^(\d{4})-(\d\d)-(\d\d)$/, "$2/$3/$1");
} });
"""
NAMELESS = "window.DisplayNames = Intl.DisplayNames; Intl.DisplayNames = class { constructor() { throw new RangeError('unheard of') } }"


def _visit(visit: Visit, script: str, *, allowed: tuple[str, ...] = ()) -> Page:
    page = visit("/", wait=False, allowed=(LOOKUP, *allowed))
    page.add_init_script(script)
    page.reload()
    hydrated(page)
    page.locator("main [commandfor=consultation-dialog]:visible").first.click()
    return page


def test_a_time_is_chosen_where_no_locale_writes_a_date_as_its_parts_sort(visit: Visit) -> None:
    page = _visit(visit, SLASHES)

    expect(page.locator(".slot").first).to_be_visible(timeout=15_000)
    choose(page, 1)

    expect(page.locator(".slot input:checked")).to_have_count(1)


def test_a_dialog_that_breaks_leaves_the_page_whole_and_can_be_tried_again(visit: Visit) -> None:
    page = _visit(visit, NAMELESS, allowed=("unheard of",))
    dialog = page.locator("#consultation-dialog")
    expect(dialog.get_by_role("alert")).to_be_visible(timeout=15_000)
    expect(page.locator("main h1")).to_have_count(1)

    page.evaluate("void (Intl.DisplayNames = window.DisplayNames)")
    dialog.get_by_role("alert").get_by_role("button").click()

    expect(page.locator(".slot").first).to_be_visible(timeout=15_000)
