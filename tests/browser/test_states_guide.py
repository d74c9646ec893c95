"""docs/guide/states.md, followed in a copy of the project: its files are written and built, then used."""

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.support.project_copy import project_copy
from tests.support.site_server import PATIENT, ROOT, Site, environment, free_port

GUIDE = ROOT / "docs/guide/states.md"
# A page that uses the site's states in more ways than the guide shows.
_OWN_STATES = """
import reflex as rx

from site_app.states.dialogs import DialogState
from site_app.states.faq import FaqState
from site_app.states.language import LanguageState
from site_app.states.snackbar import SnackbarState


class SavingState(rx.State):
    saved: int = 0
    title: str = ""

    @rx.event
    def save(self):
        self.saved += 1
        return SnackbarState.show("Saved", content="You find it under your name.")

    @rx.event
    def quote(self):
        yield DialogState.open("quote")

    @rx.event
    def fail(self):
        raise ValueError("a visitor's text")

    @rx.event
    def toast(self):
        return rx.toast.success("Toasted", description="By a handler.")

    @rx.event
    def call_everything(self):
        yield rx.window_alert('Say "hello"')
        yield rx.console_log("logged")
        yield rx.set_clipboard("copied")
        yield rx.scroll_to("foot")
        yield rx.call_script("document.title", callback=SavingState.take_title)

    @rx.event
    def call_a_script(self):
        return rx.call_script("document.title = 'x'")

    @rx.event
    def take_title(self, title: str):
        self.title = title


@rx.page(route="/own-states")
def own_states() -> rx.Component:
    return rx.el.section(
        rx.el.h1("Own states"),
        rx.el.button("Contact", on_click=DialogState.open("contact")),
        rx.el.button("Quote by a handler", on_click=SavingState.quote),
        rx.el.button("Save", on_click=SavingState.save),
        rx.el.button("Fail", on_click=SavingState.fail),
        rx.el.button("Toast", on_click=SavingState.toast),
        rx.el.button("Toast of the page", on_click=rx.toast.info("Pressed")),
        rx.el.button("Toast of a var", on_click=rx.toast.info(LanguageState.language)),
        rx.el.button(
            "Toast with a button",
            on_click=rx.toast.info("Gone", action={"label": "Undo", "on_click": SavingState.save}),
        ),
        rx.el.button("Everything", on_click=SavingState.call_everything),
        rx.el.button("Script", on_click=SavingState.call_a_script),
        rx.el.button("Title", on_click=rx.call_script("document.title", callback=SavingState.take_title)),
        rx.el.p(SavingState.title, id="title"),
        rx.el.p("Classes", id="classes", class_name="bg-white max-w-sm text-blue-500 md:mt-8 dark:text-red-500"),
        rx.el.p("Bar", id="bar", width=rx.cond(SavingState.saved > 0, "123px", "50px")),
        rx.el.a("Prevented", href="/faq", on_click=SavingState.save.prevent_default),
        rx.el.a("Prevented first", href="/faq", on_click=[rx.prevent_default, SavingState.save]),
        rx.el.a("Followed", href="/faq", on_click=SavingState.save),
        rx.el.p(SavingState.saved, id="saved"),
        rx.el.button("Thai", on_click=LanguageState.choose("th")),
        rx.el.button("Answer", on_click=FaqState.toggle("first_step")),
        rx.el.p(LanguageState.language, id="language"),
        rx.el.p(FaqState.expanded.to_string(), id="expanded"),
        rx.el.p(DialogState.open_dialog, id="dialog"),
        rx.el.div(height="3000px"),
        rx.el.p("Foot", id="foot"),
    )
"""
_FILE = re.compile(r"`(site_app/[\w/]+\.py)`:\n\n```python\n(.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, built: None) -> Iterator[Site]:
    root = project_copy(tmp_path_factory.mktemp("guide") / "project")
    for name, text in _FILE.findall(GUIDE.read_text()):
        (root / name).write_text(text)
    (root / "site_app/pages/own_states.py").write_text(_OWN_STATES)
    port = free_port()
    address = {"SITE_URL": f"http://localhost:{port}"}
    command = [sys.executable, "-m", "site_app", "build"]
    result = subprocess.run(command, cwd=root, env=environment(address), capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    site = Site(port, tmp_path_factory.mktemp("var"), PATIENT)
    site.root = root
    yield site.start()
    site.kill()


@pytest.fixture
def page(browser: Browser, project: Site) -> Iterator[Page]:
    page = browser.new_page(base_url=project.url, locale="en-GB")
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield page
    page.close()
    assert complaints == []


def test_the_guide_has_the_files_that_are_built() -> None:
    names = [name for name, _ in _FILE.findall(GUIDE.read_text())]

    assert names == [f"site_app/{folder}/{page}.py" for page in ("hours", "notes") for folder in ("states", "pages")]


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


def test_a_script_that_is_more_than_a_call_says_what_to_write(browser: Browser, project: Site) -> None:
    page = browser.new_page(base_url=project.url, locale="en-GB")
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
