"""docs/guide/states.md, followed in a copy of the project: its files are written and built, then used."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.browser.exported.own_pages import GUIDE_FILES
from tests.browser.waiting import LISTENING, until
from tests.support.site_server import Site


@pytest.fixture
def page(browser: Browser, exported_site: Site) -> Iterator[Page]:
    page = browser.new_page(base_url=exported_site.url, locale="en-GB")
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield page
    page.close()
    assert complaints == []


def test_the_guide_has_the_files_that_are_built() -> None:
    assert [*GUIDE_FILES] == [f"site_app/{folder}/{page}.py" for page in ("hours", "notes") for folder in ("states", "pages")]


@pytest.mark.parametrize("prefix", ["", "/th"])
def test_the_calculator_of_the_guide_computes(page: Page, prefix: str) -> None:
    page.goto(f"{prefix}/hours")
    price = page.get_by_role("status").filter(has_text="£")
    expect(price).to_have_text("£600")

    page.get_by_label("Work", exact=True).select_option("design")
    expect(price).to_have_text("£480")
    page.get_by_label("Hours", exact=True).fill("30")

    expect(price).to_have_text("£1800")
    expect(page.get_by_text("A fixed price may be cheaper.")).to_be_visible()
    assert price.evaluate("element => parseFloat(getComputedStyle(element).fontSize)") == 2 * page.evaluate(
        "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    )


def test_the_page_of_the_guide_that_uses_states_of_the_site_does_what_its_buttons_say(page: Page) -> None:
    page.goto("/notes")

    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".snackbar")).to_contain_text("You find it under your name.")
    page.locator("main").get_by_role("button", name="Get a quote", exact=True).click()

    expect(page.get_by_role("dialog")).to_contain_text("Get a free quote")


def test_handlers_open_dialogs_show_messages_and_choose_the_language(page: Page) -> None:
    page.goto("/own-states")

    page.get_by_role("button", name="Contact", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator("#dialog")).to_have_text("contact")
    page.keyboard.press("Escape")
    expect(page.locator("#dialog")).to_have_text("")
    page.get_by_role("button", name="Quote by a handler").click()
    expect(page.locator("#dialog")).to_have_text("quote")
    page.keyboard.press("Escape")

    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".snackbar")).to_contain_text("Saved")
    expect(page.locator(".snackbar")).to_contain_text("You find it under your name.")

    page.get_by_role("button", name="Answer").click()
    expect(page.locator("#expanded")).to_contain_text("first_step")
    page.get_by_role("button", name="Thai", exact=True).click()
    page.wait_for_url("**/th/own-states")
    expect(page.locator("#language")).to_have_text("th")
    assert [cookie.get("value") for cookie in page.context.cookies() if cookie.get("name") == "lang"] == ["th"]


def test_what_handlers_do_in_the_browser_needs_no_eval(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))

    def accept(dialog: Dialog) -> None:
        messages.append(dialog.message)
        dialog.accept()

    page.on("dialog", accept)
    page.goto("/own-states")

    page.get_by_role("button", name="Everything").click()

    expect(page.locator("#title")).to_have_text(page.title())
    expect(page.locator("#foot")).to_be_in_viewport()
    assert {'Say "hello"', "logged"} <= set(messages)
    assert page.evaluate("navigator.clipboard.readText()") == "copied"


def test_a_script_that_a_page_calls_has_its_result(page: Page) -> None:
    page.goto("/own-states")

    page.get_by_role("button", name="Title").click()

    expect(page.locator("#title")).to_have_text(page.title())


def test_a_script_that_is_more_than_a_call_says_what_to_write(browser: Browser, exported_site: Site) -> None:
    page = browser.new_page(base_url=exported_site.url, locale="en-GB")
    page.goto("/own-states")

    with page.expect_console_message(lambda message: "assets/" in message.text) as message:
        page.get_by_role("button", name="Script").click()

    assert "document.title = 'x'" in message.value.text
    page.close()


def test_a_toast_is_a_message_of_the_site(page: Page) -> None:
    page.goto("/own-states")

    page.get_by_role("button", name="Toast", exact=True).click()
    expect(page.locator(".snackbar")).to_contain_text("Toasted")
    expect(page.locator(".snackbar")).to_contain_text("By a handler.")
    page.get_by_role("button", name="Toast of the page").click()

    expect(page.locator(".snackbar")).to_contain_text("Pressed")
    page.get_by_role("button", name="Toast of a var").click()
    expect(page.locator(".snackbar")).to_have_text("Note: en")
    page.get_by_role("button", name="Toast with a button").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#saved")).to_have_text("1")


def test_the_events_of_a_toast_reach_their_handlers(page: Page) -> None:
    page.goto("/own-states")
    toasts = page.locator("#toasts")

    page.get_by_role("button", name="Remove", exact=True).click()
    page.get_by_role("button", name="Undo it", exact=True).click()
    expect(toasts).to_have_text("undone")
    for button, words in (("Yes", "undone yes"), ("No", "undone yes no"), ("Dismiss", "undone yes no closed")):
        page.get_by_role("button", name="Ask whether", exact=True).click()
        page.locator(".snackbar").get_by_role("button", name=button, exact=True).click()
        expect(toasts).to_have_text(words)
        expect(page.locator(".snackbar")).to_have_count(0)
    page.get_by_role("button", name="Work", exact=True).click()

    expect(toasts).to_have_text("undone yes no closed work expired")


def test_a_handler_pushes_and_retrieves_client_state_and_asks_by_a_function(page: Page) -> None:
    page.goto("/own-states")

    page.get_by_role("button", name="Push", exact=True).click()
    expect(page.locator("#speed")).to_have_text("42")
    expect(page.locator("#title")).to_have_text("42 mph")
    page.get_by_role("button", name="Ask by a function", exact=True).click()

    expect(page.locator("#title")).to_have_text("en")


@pytest.mark.parametrize(("prefix", "words"), [("", "Something went wrong on our side."), ("/th", "ระบบของเราขัดข้อง")])
def test_a_handler_that_fails_tells_the_visitor(page: Page, prefix: str, words: str) -> None:
    page.goto(f"{prefix}/own-states")

    page.get_by_role("button", name="Fail", exact=True).click()

    expect(page.get_by_role("alert")).to_contain_text(words)
    expect(page.locator(".snackbar")).not_to_contain_text("visitor's text")
    page.locator(".snackbar .icon-button").click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#saved")).to_have_text("1")


def test_classes_of_tailwind_have_their_styles(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/own-states")
    rem = page.evaluate("() => parseFloat(getComputedStyle(document.documentElement).fontSize)")

    expect(page.locator("#classes")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.locator("#classes")).to_have_css("max-width", f"{24 * rem:g}px")
    expect(page.locator("#classes")).to_have_css("color", re.compile("oklch|lab"))
    expect(page.locator("#classes")).to_have_css("margin-top", f"{2 * rem:g}px")


def test_a_style_prop_follows_a_state(page: Page) -> None:
    page.goto("/own-states")
    expect(page.locator("#bar")).to_have_css("width", "50px")

    page.get_by_role("button", name="Save", exact=True).click()

    expect(page.locator("#bar")).to_have_css("width", "123px")


def test_an_element_that_a_state_shows_has_its_style(page: Page) -> None:
    page.goto("/later")

    page.get_by_role("button", name="Show", exact=True).click()

    expect(page.get_by_text("Shown", exact=True)).to_have_css("padding-top", "11px")


def test_back_to_a_page_with_its_own_document_shows_it(page: Page) -> None:
    page.goto("/meter")
    expect(page.locator("#meter")).to_have_text(re.compile("[1-9]"))

    page.locator("footer a[href='/contact-us']").first.click()
    expect(page.get_by_role("heading", name="Meter")).to_have_count(0)
    until(page, LISTENING)
    page.go_back()

    expect(page.locator("#meter")).to_have_text(re.compile("[1-9]"))
    page.go_forward()
    expect(page.get_by_role("heading", name="Meter")).to_have_count(0)


def test_a_link_whose_handler_prevents_it_is_not_followed(page: Page) -> None:
    page.goto("/own-states")

    page.get_by_role("link", name="Prevented", exact=True).click()
    expect(page.locator("#saved")).to_have_text("1")
    page.get_by_role("link", name="Prevented first").click()
    expect(page.locator("#saved")).to_have_text("2")
    page.wait_for_timeout(300)
    assert page.url.endswith("/own-states")

    page.get_by_role("link", name="Followed").click()
    page.wait_for_url("**/faq")
    page.go_back()
    expect(page.locator("#saved")).to_have_text("3")
