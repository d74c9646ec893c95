"""Waiting for what a test means: Playwright's own wait_for_function would need unsafe-eval, which the policy forbids."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Error, Page

STEP_MS = 25
REACT = re.compile(r"/assets/(react|core|entry)[\w.]*-")  # what must be fetched before React can start
LISTENING = "window.onclick === null"  # the page's script is there; until then the page keeps clicks for it
PATIENCE_MS = 15_000  # on a machine that is shared; what holds at once is found at once


def until(page: Page, script: str, expected: object = True, *, within_ms: int = PATIENCE_MS) -> None:
    """Wait until the script gives this value in the page."""
    for _ in range(within_ms // STEP_MS):
        with _pages_may_change():
            if page.evaluate(script) == expected:
                return
        page.wait_for_timeout(STEP_MS)
    raise AssertionError(f"{script} is {page.evaluate(script)!r}, not {expected!r}")


@contextmanager
def _pages_may_change() -> Iterator[None]:
    """What is asked while a page gives way to the next one has no answer, and is asked again."""
    try:
        yield
    except Error as error:
        if "Execution context was destroyed" not in error.message:
            raise


def until_true(page: Page, holds: Callable[[], object], *, within_ms: int = PATIENCE_MS) -> None:
    """Wait until a fact about what the test has collected holds."""
    for _ in range(within_ms // STEP_MS):
        if holds():
            return
        page.wait_for_timeout(STEP_MS)
    raise AssertionError("it never came true")


def wait_for_page(page: Page, path: str) -> None:
    """Wait until React shows the page of this path; its address changes before."""
    page.wait_for_url(f"**{path}")
    until(page, "new URL(document.querySelector('link[rel=canonical]')?.href ?? 'about:blank').pathname", path)


def stop_clock(page: Page) -> None:
    """From now on no time passes in the page but by `page.clock`."""
    page.clock.install()
    page.clock.pause_at(time.time() + 60)  # which it must not have reached


def pass_time(page: Page, holds: Callable[[], object], *, within_ms: int = 10_000, step_ms: int = 250) -> None:
    """Let the page's own time pass in steps until a fact holds; its clock must be stopped, and no more than this may have to pass.

    A server takes real time to answer: when the page's has passed, an answer that is under way is still waited for.
    """
    for _ in range(within_ms // step_ms):
        page.clock.run_for(step_ms)
        page.wait_for_timeout(STEP_MS)  # for what has been asked meanwhile
        if holds():
            return
    until_true(page, holds)


def sent_frames(page: Page) -> list[str]:
    """What the page sends over its socket from now on."""
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: frames.append(str(frame))))
    return frames


def show_message(page: Page, **message: object) -> None:
    """Have the page show a message, as its scripts do."""
    page.evaluate("message => dispatchEvent(new CustomEvent('snackbar', { detail: message }))", message)
