"""How many sockets a page opens that is only read, in a real browser and built with SITE_BOOT=touch."""

import subprocess
import sys

from playwright.sync_api import sync_playwright

from tests.browser.chromium import found
from tests.browser.server import ROOT, environment
from tests.faults.trial import Trial

_READING_MS = 6000  # longer than the idle boot takes to open one


def sockets_of_a_reader(trial: Trial) -> tuple[int, int]:
    """While the page is read and scrolled, and after it was touched: the second number says that the first could have been other."""
    try:
        _build("touch")
        site = trial.site(boot="touch")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=found() or None, args=["--no-sandbox"])
            page = browser.new_page()
            opened: list[str] = []
            page.on("websocket", lambda socket: opened.append(socket.url))
            page.goto(f"http://127.0.0.1:{site.port}/")
            for share in (0.25, 0.5, 1):
                page.evaluate(f"scrollTo(0, document.body.scrollHeight * {share})")
                page.wait_for_timeout(_READING_MS / 3)
            read = len(opened)
            with page.expect_websocket():
                page.mouse.move(200, 200)
            browser.close()
        return read, len(opened)
    finally:
        trial.close_sites()
        _build("idle")


def _build(boot: str) -> None:
    command = [sys.executable, "-m", "site_app", "build"]
    settings = {"SITE_URL": "http://localhost:3000", "SITE_BOOT": boot}
    subprocess.run(command, cwd=ROOT, env=environment(settings), check=True, capture_output=True)
