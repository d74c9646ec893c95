"""The snackbar: one message at a time, announced, patient, out of the way."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.away import AWAY, arrived
from tests.browser.axe import findings
from tests.browser.server import Site
from tests.browser.waiting import until

Visit = Callable[..., Page]


def _say(page: Page, **message: object) -> None:
    page.evaluate("wholeStyle()")  # what a message looks like comes with it, or with the first touch
    page.evaluate("message => dispatchEvent(new CustomEvent('snackbar', { detail: message }))", message)


def test_an_unknown_address_leads_home_with_a_word_about_it(visit: Visit) -> None:
    page = visit("/no/such/page")

    expect(page.get_by_role("status").filter(has_text="was not found")).to_be_visible()
    until(page, "location.pathname + location.hash", "/")


def test_an_error_is_announced_at_once_and_stays(visit: Visit) -> None:
    page = visit("/")
    page.clock.install()

    _say(page, type="error", text="Network Error")
    page.clock.run_for(120_000)

    expect(page.get_by_role("alert")).to_have_text("Error: Network Error")


def test_a_success_is_announced_politely_and_goes(visit: Visit) -> None:
    page = visit("/")
    page.clock.install()
    message = page.get_by_role("status").filter(has_text="Sent")

    _say(page, type="success", text="Sent")
    page.clock.run_for(1000)
    expect(message).to_be_visible()
    page.clock.run_for(6000)

    expect(message).to_be_hidden(timeout=5000)


@pytest.mark.parametrize("how", ["hover", "focus"])
def test_a_message_that_is_looked_at_waits(visit: Visit, how: str) -> None:
    page = visit("/")
    page.clock.install()
    _say(page, type="success", text="Sent")
    page.clock.run_for(1000)
    message = page.get_by_role("status").filter(has_text="Sent")

    if how == "hover":
        message.hover()
    else:
        page.get_by_role("button", name="Dismiss").focus()
    page.clock.run_for(60_000)
    expect(message).to_be_visible()
    page.mouse.move(1200, 100)
    page.evaluate("document.activeElement.blur()")
    page.clock.run_for(6000)

    expect(message).to_be_hidden(timeout=5000)


def test_messages_come_one_after_the_other(visit: Visit) -> None:
    page = visit("/")

    _say(page, type="error", text="First")
    _say(page, type="error", text="Second")
    _say(page, type="error", text="First again")
    dismiss = page.get_by_role("button", name="Dismiss")

    seen = []
    for text in ("First", "Second", "First again"):
        expect(page.get_by_role("alert")).to_contain_text(text)
        seen.append(page.locator(".snackbar").count())
        dismiss.click()
    assert seen == [1, 1, 1]
    expect(page.locator(".snackbar")).to_have_count(0)


def test_the_action_button_acts_and_the_focus_returns(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("link", name="FAQ").first.focus()
    page.evaluate(
        """dispatchEvent(new CustomEvent('snackbar', { detail: {
          type: 'error', text: 'Network Error', action: { run: () => { window.tried = true } } } }))"""
    )

    page.get_by_role("button", name="Try again").click()

    assert page.evaluate("window.tried")
    expect(page.locator(".snackbar")).to_have_count(0)


def test_escape_dismisses_the_message_and_not_the_dialog_around_it(visit: Visit) -> None:
    page = visit("/?open=contact")
    expect(page.get_by_role("dialog")).to_be_visible()
    _say(page, type="error", text="Network Error")

    page.get_by_role("dialog").get_by_role("button", name="Dismiss").focus()
    page.keyboard.press("Escape")

    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1280])
def test_the_message_is_seen_whole_over_an_open_dialog(visit: Visit, width: int) -> None:
    page = visit("/?open=contact", width=width)
    expect(page.get_by_role("dialog")).to_be_visible()

    _say(page, type="error", text="Network Error")

    expect(page.get_by_role("alert")).to_be_visible()
    until(
        page,
        """(() => { const { left, right, top, bottom } = document.querySelector('.snackbar').getBoundingClientRect();
        return [left + 20, right - 20].every(x => [top + 20, bottom - 20].every(y => document.elementFromPoint(x, y)?.closest('.snackbar'))) })()""",
    )


def test_the_message_never_covers_the_focused_field(visit: Visit) -> None:
    page = visit("/", width=320, height=600)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.get_by_role("contentinfo").get_by_role("link").last.focus()

    _say(page, type="error", text="Network Error", content="Nothing you typed is lost.")
    expect(page.get_by_role("alert")).to_contain_text("Network Error")

    until(
        page,
        """(() => { const a = document.activeElement.getBoundingClientRect(), b = document.querySelector('.snackbar').getBoundingClientRect();
        return a.bottom <= b.top || a.top >= b.bottom || a.right <= b.left || a.left >= b.right })()""",
    )


def test_it_fits_320_px(visit: Visit) -> None:
    page = visit("/", width=320)

    _say(page, type="warning", text="A rather long message about something that has happened", content="And more about it.")
    expect(page.locator(".snackbar")).to_be_visible()
    box = page.locator(".snackbar").bounding_box()

    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320


def test_a_message_of_a_script_needs_no_backend(visit: Visit, mortal_site: Site) -> None:
    page = visit("/", allowed=AWAY)
    arrived(page)
    mortal_site.stop()

    _say(page, type="info", text="Still here")

    expect(page.get_by_role("status").filter(has_text="Still here")).to_be_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_in_a_message(visit: Visit, dark: bool) -> None:
    page = visit("/", dark=dark)

    for kind in ("success", "error", "warning", "info"):
        _say(page, type=kind, text="Something happened", content="And more about it.", timeout=0, action={"label": "Act"})
        expect(page.locator(f".snackbar-{kind} p").first).to_be_visible()
        assert findings(page) == []
        page.get_by_role("button", name="Dismiss").click()
        expect(page.locator(".snackbar")).to_have_count(0)
