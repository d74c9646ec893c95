"""Opens pages at the speed of a slow machine, waits until React has taken over, and collects what they complain of."""

import os
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.waiting import HYDRATED, received_frames, until, until_true
from tests.support.site_server import Site

Visit = Callable[..., Page]  # Visits.open, by the fixture `visit`

_WATCH = """
addEventListener('securitypolicyviolation', e => (window.__violations ??= []).push(e.effectiveDirective + ' ' + e.blockedURI));
"""
STORAGE_FORBIDDEN = """for (const store of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, store, { configurable: true, get() { throw new DOMException('no', 'SecurityError') } })"""
STORAGE_FULL = """Object.defineProperty(Storage.prototype, 'setItem', { value() { throw new DOMException('full', 'QuotaExceededError') } })"""
_CHOOSE_DARK = "try { localStorage.theme = 'dark' } catch {}"
_ALLOWED = (
    "unable to fetch the country",  # the warning of R45 without a lookup service
    "page views are not counted",  # a page that is left at once stops this script
)


class Visits:
    """The pages that a test opens."""

    def __init__(self, browser: Browser, site: Site) -> None:
        self._browser = browser
        self._site = site
        self._contexts: list[BrowserContext] = []
        self._watched: list[tuple[Page, list[str]]] = []
        self._allowed = [*_ALLOWED]

    def open(
        self,
        path: str,
        *,
        on: Site | None = None,
        javascript: bool = True,
        wait: bool = True,
        joined: bool = False,
        allowed: tuple[str, ...] = (),
        **options: Any,
    ) -> Page:
        """Opens a page in a context of its own: visit("/faq", width=360, height=740, javascript=False).

        Waits until React runs, or with `joined` for the socket as well; not with `wait=False`. `allowed` lists parts of console messages that
        the test causes on purpose. The other options are those of `_new_context` and of Playwright's new_context.
        """
        self._allowed += allowed
        page = self._watch(self._new_context(java_script_enabled=javascript, **options))
        frames = received_frames(page)
        page.goto((on or self._site).url + path)
        if javascript and wait:
            hydrated(page)
        if joined:
            until_true(page, lambda: any('"is_hydrated_rx_state_":true' in frame for frame in frames))
        return page

    def _new_context(
        self,
        *,
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
        calm: bool = True,
        socket: bool = True,
        script: str = "",
        **options: Any,
    ) -> BrowserContext:
        """`calm` shows less movement, `socket=False` prevents the socket, `script` runs before the page's scripts."""
        motion = "reduce" if calm else "no-preference"
        context = self._browser.new_context(viewport={"width": width, "height": height}, reduced_motion=motion, **options)
        self._contexts.append(context)
        for text in (_WATCH, _CHOOSE_DARK if dark else "", script):
            if text:
                context.add_init_script(text)
        if not socket:
            context.route_web_socket("**/_event**", lambda line: line.close())
            self._allowed.append("WebSocket")
        return context

    def _watch(self, context: BrowserContext) -> Page:
        page = slowed(context.new_page())
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        self._watched.append((page, complaints))
        return page

    def close(self) -> list[str]:
        """Closes the pages; returns what they complained of, apart from what is allowed."""
        texts: list[str] = []
        for page, complaints in self._watched:
            violations = page.evaluate("window.__violations ?? []") if not page.is_closed() and _scripted(page) else []
            texts += [*complaints, *violations]
        for context in self._contexts:
            context.close()
        return [text for text in texts if not any(part in text for part in self._allowed)]


def _scripted(page: Page) -> bool:
    try:
        return bool(page.evaluate("true"))
    except Exception:  # JavaScript is off
        return False


def slowed(page: Page) -> Page:
    """Slows the page's processor down: SLOWDOWN=6 make test ARGS=tests/browser finds reads that do not wait."""
    if rate := os.environ.get("SLOWDOWN"):
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": float(rate)})
    return page


def hydrated(page: Page) -> None:
    """Presses a button that opens a dialog, and waits until React has taken over."""
    page.locator("[command=show-modal]").first.dispatch_event("pointerdown")
    until(page, HYDRATED)
