"""Waiting for what a test means: Playwright's own wait_for_function would need unsafe-eval, which the policy forbids."""

from collections.abc import Callable

from playwright.sync_api import Page

STEP_MS = 25


def until(page: Page, script: str, wanted: object = True, *, within_ms: int = 5000) -> None:
    """Wait until the script gives this value in the page."""
    for _ in range(within_ms // STEP_MS):
        if page.evaluate(script) == wanted:
            return
        page.wait_for_timeout(STEP_MS)
    raise AssertionError(f"{script} is {page.evaluate(script)!r}, not {wanted!r}")


def until_true(page: Page, holds: Callable[[], object], *, within_ms: int = 5000) -> None:
    """Wait until a fact about what the test has collected holds."""
    for _ in range(within_ms // STEP_MS):
        if holds():
            return
        page.wait_for_timeout(STEP_MS)
    raise AssertionError("it never came true")


def sent_frames(page: Page) -> list[str]:
    """What the page sends over its socket from now on."""
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: frames.append(str(frame))))
    return frames
