"""The snackbar: one message at a time, announced, patient, and covering nothing."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import COLOURS, findings
from tests.browser.forms.filling import CONTACT_PAGE, QUOTE
from tests.browser.visit import Visit, hydrated
from tests.browser.waiting import show_message, until


def test_errors_stay_successes_disappear_and_hovered_messages_wait(visit: Visit) -> None:
    page = visit("/")
    page.clock.install()
    message = page.get_by_role("status").filter(has_text="Sent")

    show_message(page, type="error", text="Network Error")
    page.clock.run_for(120_000)
    expect(page.get_by_role("alert")).to_contain_text("Network Error")
    page.locator(".snackbar .icon-button").click()
    page.mouse.move(40, 400)  # away from the next message, which would wait for a hovering pointer

    show_message(page, type="success", text="Sent")
    page.clock.run_for(1000)
    expect(message).to_be_visible()
    page.clock.run_for(6000)
    expect(message).to_be_hidden(timeout=5000)

    for look in (message.hover, page.locator(".snackbar .icon-button").focus):
        show_message(page, type="success", text="Sent")
        page.clock.run_for(1000)
        look()
        page.clock.run_for(60_000)
        expect(message).to_be_visible()
        page.mouse.move(40, 400)
        page.evaluate("document.activeElement.blur()")
        page.clock.run_for(6000)
        expect(message).to_be_hidden(timeout=5000)


def test_that_a_page_was_not_found_is_said_until_it_is_dismissed(visit: Visit) -> None:
    page = visit("/faq", allowed=("404",), wait=False)
    page.clock.install()
    page.goto(page.url.replace("/faq", "/no/such/page"))
    message = page.locator(".snackbar-warning")
    expect(message).to_be_visible()

    page.clock.run_for(120_000)

    expect(message).to_be_visible()


def test_one_message_is_shown_older_errors_return_and_a_success_clears_them(visit: Visit) -> None:
    page = visit("/")
    snackbar, dismiss = page.locator(".snackbar"), page.locator(".snackbar .icon-button")

    for text in ("First", "Second", "First again"):
        show_message(page, type="error", text=text)
    for text in ("First again", "Second", "First"):
        expect(page.get_by_role("alert")).to_contain_text(text)
        expect(snackbar).to_have_count(1)
        dismiss.click()
    expect(snackbar).to_have_count(0)

    show_message(page, type="error", text="The page could not be loaded")
    expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
    show_message(page, type="success", text="Sent")
    expect(snackbar).to_contain_text("Sent")
    dismiss.click()
    expect(snackbar).to_have_count(0)

    page.evaluate(
        """dispatchEvent(new CustomEvent('snackbar', { detail: {
          type: 'error', text: 'Network Error', action: { run: () => { window.tried = true } } } }))"""
    )
    page.locator(".snackbar-action").click()
    assert page.evaluate("window.tried")
    expect(snackbar).to_have_count(0)


def test_a_message_of_the_state_is_not_repeated_on_the_next_page(visit: Visit) -> None:
    page = visit(CONTACT_PAGE.path, joined=True)
    form = CONTACT_PAGE.on(page)
    CONTACT_PAGE.fill(form)
    CONTACT_PAGE.button(page).click()
    expect(page.locator(".snackbar-success")).to_be_visible()

    page.goto(page.url.replace(CONTACT_PAGE.path, "/faq"))
    hydrated(page)
    page.wait_for_timeout(1500)  # long enough for the state to bring it

    expect(page.locator(".snackbar")).to_have_count(0)


def test_over_a_dialog_the_message_is_fully_visible_and_escape_dismisses_only_it(visit: Visit) -> None:
    page = visit("/?open=contact", width=320)
    expect(page.get_by_role("dialog")).to_be_visible()

    show_message(
        page, type="warning", text="A rather long message about something that has happened", content="And more about it."
    )

    expect(page.locator(".snackbar")).to_be_visible()
    until(
        page,
        """(() => { const { left, right, top, bottom } = document.querySelector('.snackbar').getBoundingClientRect();
        return left >= 0 && right <= 320 && [left + 20, right - 20].every(x =>
          [top + 20, bottom - 20].every(y => document.elementFromPoint(x, y)?.closest('.snackbar'))) })()""",
    )
    page.locator("dialog[open] .snackbar .icon-button").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".snackbar")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_be_visible()


def test_the_message_never_covers_the_focused_field(visit: Visit) -> None:
    page = visit("/", width=320, height=600)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.get_by_role("contentinfo").get_by_role("link").last.focus()

    show_message(page, type="error", text="Network Error", content="Nothing you typed is lost.")
    expect(page.get_by_role("alert")).to_contain_text("Network Error")

    until(
        page,
        """(() => { const a = document.activeElement.getBoundingClientRect(), b = document.querySelector('.snackbar').getBoundingClientRect();
        return a.bottom <= b.top || a.top >= b.bottom || a.right <= b.left || a.left >= b.right })()""",
    )


def test_the_message_covers_no_button_of_a_sent_form(visit: Visit) -> None:
    for width, height in ((1280, 720), (360, 740)):
        page = visit(QUOTE.path, width=width, height=height)
        QUOTE.fill(QUOTE.on(page))
        QUOTE.button(page).click()
        page.locator(".snackbar-success").hover()  # it stays while a pointer is on it
        expect(page.locator(".result-title")).to_be_focused()

        until(page, _COVERS_NOTHING)


_COVERS_NOTHING = """(() => {
  const box = document.querySelector('.snackbar')?.getBoundingClientRect();
  return !!box && [...document.querySelectorAll('dialog[open] :is(a, button, .result-title, .result-subtitle)')].every(element => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return element.closest('.snackbar') || bottom <= box.top || top >= box.bottom || right <= box.left || left >= box.right;
  }) })()"""


@pytest.mark.parametrize("path", ["/th", "/cn", "/th/company/prices"])
def test_the_offer_of_a_language_is_one_row_and_covers_no_price_on_a_phone(visit: Visit, path: str) -> None:
    page = visit(path, width=390, height=844, locale="en-GB")
    page.mouse.move(20, 200)
    page.locator(".snackbar [role=status] p").wait_for(state="attached")

    offer = page.locator(".snackbar").bounding_box() or {}
    boxes = page.locator("main :is(.button, .fact strong, .budget-price)").evaluate_all(
        "items => items.map(item => { const words = document.createRange(); words.selectNodeContents(item);"
        " const { top, bottom, right } = words.getBoundingClientRect(); return [top, bottom, right] })"
    )

    assert offer["height"] <= 64
    assert [box for box in boxes if box[0] < offer["y"] + offer["height"] and box[1] > offer["y"] and box[2] > offer["x"]] == []


def test_axe_finds_nothing_in_a_message(visit: Visit) -> None:
    page = visit("/")

    for theme in ("light", "dark"):
        for kind in ("success", "error", "warning", "info"):
            show_message(
                page, type=kind, text="Something happened", content="And more about it.", timeout=0, action={"label": "Act"}
            )
            expect(page.locator(f".snackbar-{kind} p").first).to_be_visible()
            assert findings(page, () if (theme, kind) == ("light", "error") else COLOURS) == []
            page.locator(".snackbar .icon-button").click()
            expect(page.locator(".snackbar")).to_have_count(0)
        page.locator("[data-theme-switch]:visible").click()
