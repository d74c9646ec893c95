"""How many sockets a page opens that is only read, in a real browser."""

from playwright.sync_api import sync_playwright

from tests.browser.chromium import found
from tests.faults.trial import Trial

_READING_MS = 6000  # three screens of text


def sockets_of_a_reader(trial: Trial) -> tuple[int, int]:
    """While the page is read and scrolled, and after a button was pressed: the second number says that the first could have been other."""
    try:
        site = trial.site()
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
                page.locator("[command=show-modal]").first.dispatch_event("pointerdown")
            browser.close()
        return read, len(opened)
    finally:
        trial.close_sites()
