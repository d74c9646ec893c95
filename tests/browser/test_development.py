"""`make dev` and plain `reflex run`, in a copy of the project: saved changes appear, and the whole site works."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from site_app.plugins.static_first.toolchain import REPORT
from tests.browser.forms.filling import CONTACT_PAGE, reference
from tests.browser.waiting import HYDRATED, until, until_true
from tests.support.project_copy import project_copy
from tests.support.site_server import PATIENT, ROOT, environment, free_port

START_SECONDS, SEEN_MS, IDLE_SECONDS = 90, 40_000, 3


@dataclass
class Development:
    """The development server in a copy of the project."""

    root: Path
    log: Path
    process: subprocess.Popen[bytes]

    def log_text(self) -> str:
        return self.log.read_text(errors="replace")

    @property
    def compiled(self) -> int:
        return self.log_text().count("Compiling:")

    @property
    def url(self) -> str:
        deadline = time.monotonic() + START_SECONDS
        while not (match := re.search(r"App running at: (http://\S+\d)", self.log_text())):
            assert self.process.poll() is None, self.log_text()[-4000:]
            assert time.monotonic() < deadline, self.log_text()[-4000:]
            time.sleep(0.1)
        return match[1]

    def change(self, path: Path, old: str, new: str) -> None:
        file = self.root / path
        file.write_text(file.read_text().replace(old, new))

    def stop(self) -> None:
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(timeout=10)
        finally:
            for end in (signal.SIGTERM, signal.SIGKILL):  # Vite's processes are in the same group
                try:
                    os.killpg(self.process.pid, end)
                except ProcessLookupError:
                    break
                time.sleep(0.5)


_NOTES = Path("site_app/pages/notes.py")
_NOTES_PAGE = """
import reflex as rx

from site_app.states.dialogs import DialogState


class NotesState(rx.State):
    count: int = 0

    @rx.event
    def add(self, by: int):
        self.count += by
        return rx.toast.success("Added")


@rx.page(route="/notes", title="Notes", description="Notes")
def notes() -> rx.Component:
    return rx.el.section(
        rx.el.h1("Notes"),
        rx.el.button("Add", on_click=NotesState.add(2)),
        rx.el.a("Stay", href="/faq", on_click=NotesState.add(3).prevent_default),
        rx.el.button("Contact", on_click=DialogState.open("contact")),
        rx.el.p(NotesState.count, id="count"),
    )
"""


@pytest.fixture(scope="module")
def copy(built: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = project_copy(tmp_path_factory.mktemp("project"), pages=True)
    (root / _NOTES).write_text(_NOTES_PAGE)
    return root


@pytest.fixture(scope="module")
def development(request: pytest.FixtureRequest, copy: Path) -> Iterator[Development]:
    by_make = request.param == "make dev"
    reflex = str(Path(sys.executable).with_name("reflex"))
    command = [sys.executable, "-m", "site_app", "dev"] if by_make else [reflex, "run"]
    variables = environment({**PATIENT, **({"SITE_PORT": str(free_port())} if by_make else {})})
    variables = {
        name: value for name, value in variables.items() if not name.startswith("REFLEX_") and name != "NPM_CONFIG_REGISTRY"
    }
    log = copy / "development.log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=copy, env=variables, stdout=out, stderr=out, start_new_session=True)
    running = Development(copy, log, process)
    try:
        assert not by_make or running.url.endswith(variables["SITE_PORT"])
        yield running
    finally:
        running.stop()


# loopback has no country; a page that reloads while its socket opens closes the socket
_EXPECTED = ("unable to fetch the country", "WebSocket is closed before the connection is established")


@pytest.fixture
def page(browser: Browser, development: Development) -> Iterator[Page]:
    """The home page; console complaints fail the test."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(development.url, timeout=SEEN_MS)
    until(page, HYDRATED, within_ms=SEEN_MS)
    yield page
    context.close()
    assert [complaint for complaint in complaints if not any(part in complaint for part in _EXPECTED)] == []


in_both = pytest.mark.parametrize("development", ["make dev", "reflex run"], indirect=True, scope="module")
by_make = pytest.mark.parametrize("development", ["make dev"], indirect=True, scope="module")


@in_both
def test_a_form_is_sent_and_a_page_view_counted(development: Development, page: Page) -> None:
    views: list[str] = []  # a debugger sees a beacon's request, but not always its response
    page.on("request", lambda request: views.append(request.url) if request.url.endswith("/v1.0/pageView") else None)

    page.goto(development.url + CONTACT_PAGE.path)
    until(page, HYDRATED, within_ms=SEEN_MS)
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    CONTACT_PAGE.button(page).click()
    assert reference(page, within_ms=SEEN_MS)
    until_true(page, lambda: views != [])


@in_both
def test_a_changed_word_appears_in_the_open_page(development: Development, page: Page) -> None:
    page.goto(development.url + CONTACT_PAGE.path)
    until(page, HYDRATED, within_ms=SEEN_MS)
    headline = page.locator("h1").inner_text()
    sources = (development.root / "site_app/content").rglob("*.py")
    file = next(source for source in sources if f'"{headline}"' in source.read_text())
    development.change(file, f'"{headline}"', f'"{headline}, indeed"')
    expect(page.locator("h1")).to_have_text(f"{headline}, indeed", timeout=SEEN_MS)


@by_make
def test_development_serves_the_addresses_of_production(development: Development) -> None:
    posted = httpx.post(development.url + CONTACT_PAGE.path, data={"full_name": "Ada"}, timeout=START_SECONDS)
    assert (posted.status_code, posted.headers["content-type"].partition(";")[0]) == (422, "text/html")

    for path in ("/flags/GB.svg", "/insights/script.js", "/readyz", "/book"):
        response = httpx.get(development.url + path, timeout=START_SECONDS)

        assert response.status_code == 200, path
        assert "__vite" not in response.text, path


@by_make
def test_development_refuses_sockets_of_other_origins(development: Development) -> None:
    headers = {"Origin": "https://elsewhere.example.com", "Connection": "Upgrade", "Upgrade": "websocket"}
    keys = {"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}

    foreign = httpx.get(f"{development.url}/_event?EIO=4&transport=websocket", headers=headers | keys, timeout=START_SECONDS)

    assert foreign.status_code == 403


@by_make
def test_an_idle_server_compiles_nothing_nor_does_one_whose_style_is_changed(development: Development, page: Page) -> None:
    compiled_before, style, value = development.compiled, Path("components/theme.css"), str(time.time_ns())
    assert compiled_before >= 1

    page.wait_for_timeout(IDLE_SECONDS * 1000)
    assert development.compiled == compiled_before

    development.change(
        style, (development.root / style).read_text(), f":root {{ --probe: {value}; }}\n" + (ROOT / style).read_text()
    )
    until(page, "getComputedStyle(document.body).getPropertyValue('--probe').trim()", value, within_ms=SEEN_MS)
    assert development.compiled == compiled_before


@by_make
def test_an_error_of_python_is_shown_in_the_browser_until_it_is_fixed(development: Development, browser: Browser) -> None:
    path = Path("site_app/pages/home.py")
    source = (development.root / path).read_text()
    page = browser.new_page()
    page.goto(development.url, timeout=SEEN_MS)
    expect(page.locator("h1")).to_be_visible(timeout=SEEN_MS)
    overlay = page.locator("vite-error-overlay")

    try:
        (development.root / path).write_text(source + "\nhome = (1,, 2)\n")
        expect(overlay).to_contain_text(f"{path}, line {source.count(chr(10)) + 2}: SyntaxError", timeout=SEEN_MS)
        page.reload()
        expect(overlay).to_contain_text("SyntaxError", timeout=SEEN_MS)

        (development.root / path).write_text(source + "\nno_such_name()\n")
        expect(overlay).to_contain_text("NameError", timeout=SEEN_MS)
        compiled = development.compiled
    finally:
        (development.root / path).write_text(source)
    until_true(page, lambda: development.compiled > compiled, within_ms=SEEN_MS)
    expect(overlay).to_have_count(0, timeout=SEEN_MS)
    expect(page.locator("h1")).to_be_visible()
    page.close()


@by_make
def test_a_report_of_an_error_that_is_half_written_does_not_end_the_server(development: Development, browser: Browser) -> None:
    report = development.root / ".web" / REPORT
    page = browser.new_page()
    page.goto(development.url, timeout=SEEN_MS)
    try:
        report.write_text('{"message": "half')
        page.wait_for_timeout(1000)  # no signal tells that the report was read

        assert httpx.get(development.url, timeout=START_SECONDS).status_code == 200
        report.write_text('{"message": "whole", "stack": ""}')
        expect(page.locator("vite-error-overlay")).to_contain_text("whole", timeout=SEEN_MS)
    finally:
        report.unlink()
    page.close()


def _press_until_counted(page: Page) -> None:
    """Adds 2. A press is lost if Vite loads the page anew at that moment, or the backend starts again after the change of a test before."""
    for is_last in (False, False, True):
        page.get_by_role("button", name="Add").click()
        try:
            expect(page.locator("#count")).to_have_text("2", timeout=SEEN_MS / 2)
            return
        except AssertionError:
            if is_last:
                raise


@in_both
def test_a_new_page_works_and_an_untyped_handler_is_reported_on_the_page(development: Development, browser: Browser) -> None:
    page = browser.new_page()  # not the fixture, because sockets fail while the backend is down
    page.goto(f"{development.url}/notes", timeout=SEEN_MS)
    until(page, HYDRATED, within_ms=SEEN_MS)
    _press_until_counted(page)
    expect(page.locator(".snackbar")).to_contain_text("Added", timeout=SEEN_MS)
    page.get_by_role("link", name="Stay").click()
    expect(page.locator("#count")).to_have_text("5")
    page.get_by_role("button", name="Contact", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.url.endswith("/notes")

    overlay = page.locator("vite-error-overlay")
    development.change(_NOTES, "by: int", "by")
    expect(overlay).to_contain_text("NotesState.add: its parameter by has no type", timeout=SEEN_MS)
    development.change(_NOTES, "(self, by)", "(self, by: int)")
    expect(overlay).to_have_count(0, timeout=SEEN_MS)
    page.close()
