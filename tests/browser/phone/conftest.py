"""The phone input in a project of its own: built once, served on a port of its own, looked at in Chromium."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import slowed
from tests.browser.waiting import until_true

ROOT = Path(__file__).parents[3]
APP = Path(__file__).parent / "app"
PATIENCE = 240  # seconds for a build on a busy machine


@pytest.fixture(scope="session")
def address(worker_id: str) -> Iterator[str]:
    home = ROOT / ".cache" / f"phone_app_{worker_id}"
    shutil.copytree(APP, home, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".web", "__pycache__"))
    port = _free_port()
    url = f"http://localhost:{port}"
    environment = os.environ | {
        "PATH": f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PHONE_URL": url,
        "REFLEX_USE_NPM": "true",
        "REFLEX_TELEMETRY_ENABLED": "false",
        "REFLEX_CHECK_LATEST_VERSION": "false",
    }
    asked = subprocess.run(["npm", "config", "get", "registry"], env=environment, capture_output=True, text=True, check=True)
    environment["NPM_CONFIG_REGISTRY"] = asked.stdout.strip()
    command = ["reflex", "run", "--env", "prod", "--single-port", "--backend-port", str(port)]
    log = home / "run.log"
    with log.open("w") as written:
        server = subprocess.Popen(
            command, cwd=home, env=environment, stdout=written, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        _wait_for(port, server, log)
        yield url
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=20)


@pytest.fixture(scope="session")
def worker_id() -> str:
    return os.environ.get("PYTEST_XDIST_WORKER", "alone")


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One for all: the field keeps nothing, and a browser reads a script that it has read before much faster."""
    context = browser.new_context(viewport={"width": 900, "height": 900}, locale="en-GB")
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    page = slowed(context.new_page())
    watch(page, complaints := [])
    yield page
    page.close()
    assert complaints == []


def watch(page: Page, complaints: list[str]) -> None:
    """Note what must never happen: an error, a broken policy, a request to a foreign host."""
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: None if "://localhost:" in request.url else complaints.append(request.url))


class Field:
    """The phone field of the specimen's page, with these options."""

    def __init__(self, page: Page, address: str, **options: object) -> None:
        page.goto(f"{address}/?options={quote(json.dumps(options))}")
        self.page = page
        self.box = page.locator("#specimen .phone")
        expect(page.locator("#specimen .phone[data-ready]")).to_be_visible(timeout=15_000)
        self.input = page.locator("#phone")
        self.button = self.box.locator(".phone-button")
        self.options = self.box.get_by_role("option")
        self.note = self.box.locator(".phone-note")

    def type(self, text: str) -> str:
        """Press the keys one by one; what the field holds afterwards."""
        self.input.press_sequentially(text)
        return self.input.input_value()

    def paste(self, text: str) -> str:
        self.input.focus()
        self.page.evaluate(
            """text => {
                const clipboardData = new DataTransfer();
                clipboardData.setData("text/plain", text);
                const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
                document.activeElement.dispatchEvent(event);
            }""",
            text,
        )
        return self.input.input_value()

    def open(self) -> "Field":
        self.button.click()
        expect(self.box.get_by_role("listbox")).to_be_visible()
        return self

    def country(self) -> str:
        """The selected country's two letters, once there is one."""
        flag = self.box.locator(".phone-selected img")
        expect(flag).to_be_visible()
        return str(flag.get_attribute("src")).removesuffix(".svg")[-2:]

    def active(self) -> str:
        return self.box.locator(".phone-option[data-active] .phone-name").inner_text()

    def reports(self, name: str) -> list[list]:
        """What the field has reported to the server under this name so far."""
        texts = self.page.locator("#reports li").all_inner_texts()
        return [report[1:] for report in map(json.loads, texts) if report[0] == name]

    def await_report(self, part: str) -> None:
        expect(self.page.locator("#reports li", has_text=part).last).to_be_attached()

    def last_payload(self, **said: str) -> dict:
        """The newest verdict, once it says this."""
        until_true(self.page, lambda: said.items() <= self._newest_verdict().items())
        return self._newest_verdict()

    def _newest_verdict(self) -> dict:
        return (self.reports("verdict") or [[{}]])[-1][0]


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def _wait_for(port: int, server: subprocess.Popen, log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)  # the port says nothing before it is open
    raise RuntimeError(f"the phone project did not start:\n{log.read_text()[-4000:]}")
