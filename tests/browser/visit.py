"""Opens pages at the speed of a slow machine, and waits until React has taken over."""

import os
from collections.abc import Callable

from playwright.sync_api import Page

from tests.browser.waiting import HYDRATED, until

Visit = Callable[..., Page]  # the fixture `visit`


def slowed(page: Page) -> Page:
    """Slows the page's processor down: SLOWDOWN=6 make test ARGS=tests/browser finds reads that do not wait."""
    if rate := os.environ.get("SLOWDOWN"):
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": float(rate)})
    return page


def hydrated(page: Page) -> None:
    """Presses a button that opens a dialog, and waits until React has taken over."""
    page.locator("[command=show-modal]").first.dispatch_event("pointerdown")
    until(page, HYDRATED)
