"""docs/guide/states.md, followed to the letter in a copy of the project: its files are written and built, then used."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.server import PATIENT, ROOT, Site, environment, free_port
from tests.project_copy import project_copy

GUIDE = ROOT / "docs/guide/states.md"
# A page with the states of the site, as in the guide's last part.
_OWN_STATES = """
import reflex as rx

from site_app.states.dialogs import DialogState
from site_app.states.faq import FaqState
from site_app.states.language import LanguageState
from site_app.states.snackbar import SnackbarState


class SavingState(rx.State):
    saved: int = 0

    @rx.event
    def save(self):
        self.saved += 1
        return SnackbarState.show("Saved", content="You find it under your name.")

    @rx.event
    def quote(self):
        yield DialogState.open("quote")


@rx.page(route="/own-states")
def own_states() -> rx.Component:
    return rx.el.section(
        rx.el.h1("Own states"),
        rx.el.button("Contact", on_click=DialogState.open("contact")),
        rx.el.button("Quote by a handler", on_click=SavingState.quote),
        rx.el.button("Save", on_click=SavingState.save),
        rx.el.button("Thai", on_click=LanguageState.choose("th")),
        rx.el.button("Answer", on_click=FaqState.toggle("first_step")),
        rx.el.p(LanguageState.language, id="language"),
        rx.el.p(FaqState.expanded.to_string(), id="expanded"),
        rx.el.p(DialogState.open_dialog, id="dialog"),
    )
"""
_FILE = re.compile(r"^`(site_app/[\w/]+\.py)`.*?```python\n(.*?)```", re.MULTILINE | re.DOTALL)


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


def test_the_guide_writes_its_two_files() -> None:
    assert [Path(name).parent.name for name, _ in _FILE.findall(GUIDE.read_text())] == ["states", "pages"]


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
    assert price.evaluate("each => parseFloat(getComputedStyle(each).fontSize)") == 2 * page.evaluate(
        "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    )


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
