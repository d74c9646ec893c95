"""Waiting for conditions: Playwright's own wait_for_function would need unsafe-eval, which the policy forbids."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Error, Page

STEP_MS = 25
REACT = re.compile(r"/assets/(react|core|entry)[\w.]*-")  # files that React needs to start
HYDRATED = "window.hydratedAt > 0"  # React has taken over the page; false in a page without it
LISTENING = "window.onclick === null"  # the page's script is loaded; until then the page keeps clicks for it
PATIENCE_MS = 15_000  # for a shared machine; true conditions are noticed at once


def until(page: Page, script: str, expected: object = True, *, within_ms: int = PATIENCE_MS) -> None:
    """Waits until the script gives this value in the page."""
    for _ in range(within_ms // STEP_MS):
        with _pages_may_change():
            if page.evaluate(script) == expected:
                return
        page.wait_for_timeout(STEP_MS)
    raise AssertionError(f"{script} is {page.evaluate(script)!r}, not {expected!r}")


@contextmanager
def _pages_may_change() -> Iterator[None]:
    """Ignores evaluations that fail because the page is being replaced; they are repeated."""
    try:
        yield
    except Error as error:
        if "Execution context was destroyed" not in error.message:
            raise


def until_true(page: Page, holds: Callable[[], object], *, within_ms: int = PATIENCE_MS) -> None:
    """Waits until the condition holds."""
    for _ in range(within_ms // STEP_MS):
        if holds():
            return
        page.wait_for_timeout(STEP_MS)
    raise AssertionError("it never came true")


def wait_for_page(page: Page, path: str) -> None:
    """Waits until React shows the page of this path, whatever its query; the address changes earlier."""
    page.wait_for_url(re.compile(re.escape(path) + r"(\?.*)?$"))
    until(page, "new URL(document.querySelector('link[rel=canonical]')?.href ?? 'about:blank').pathname", path)


def stop_clock(page: Page) -> None:
    """Stops the page's clock; from now on only `page.clock` advances it."""
    page.clock.install()
    page.clock.pause_at(time.time() + 60)  # a time that it must not have reached


def pass_time(page: Page, holds: Callable[[], object], *, within_ms: int = 10_000, step_ms: int = 250) -> None:
    """Advances the page's stopped clock in steps, by at most `within_ms`, until the condition holds.

    A server takes real time to answer: once the page's time has passed, the function still waits for a reply under way.
    """
    for _ in range(within_ms // step_ms):
        page.clock.run_for(step_ms)
        page.wait_for_timeout(STEP_MS)  # for requests under way
        if holds():
            return
    until_true(page, holds)


def sent_frames(page: Page) -> list[str]:
    """Returns a list that collects the frames which the page sends over its socket from now on."""
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: frames.append(str(frame))))
    return frames


def received_frames(page: Page) -> list[str]:
    """Returns a list that collects the frames which the page receives over its socket from now on."""
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    return frames


def show_message(page: Page, **message: object) -> None:
    """Shows a message on the page, as its scripts do."""
    page.evaluate("message => dispatchEvent(new CustomEvent('snackbar', { detail: message }))", message)
