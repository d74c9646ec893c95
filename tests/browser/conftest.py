"""Chromium with one production build; a console message or policy violation fails the test."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.visit import Visit, hydrated, slowed
from tests.browser.waiting import PATIENCE_MS, until_true
from tests.support.chromium import chromium_path
from tests.support.site_server import PATIENT, Site, build, free_port

expect.set_options(timeout=PATIENCE_MS)
_WATCH = """
addEventListener('securitypolicyviolation', e => (window.__violations ??= []).push(e.effectiveDirective + ' ' + e.blockedURI));
"""


@pytest.fixture(scope="session")
def built() -> None:
    build("http://localhost:3000")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path() or None, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site, started once per session; a test that stops it uses `mortal_site`."""
    running = Site(free_port(), tmp_path_factory.mktemp("var"), PATIENT).start()
    yield running
    running.kill()


@pytest.fixture
def mortal_site(site: Site) -> Iterator[Site]:
    """The session's site, for a test that stops or kills it; it is restarted for the next test."""
    yield site
    if not site.is_running:
        site.start()


@pytest.fixture
def start_site(built: None, tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Starts another site with these SITE_* settings."""
    started: list[Site] = []

    def start(**settings: str) -> Site:
        started.append(Site(free_port(), tmp_path / f"var{len(started)}", settings).start())
        return started[-1]

    yield start
    for site in started:
        site.kill()


@pytest.fixture
def visit(browser: Browser, site: Site, start_site: Callable[..., Site]) -> Iterator[Visit]:
    """Opens a page in a context of its own: visit("/faq", viewport=…, javascript=False, dark=True, calm=True).

    `allowed` lists parts of console messages that the test causes on purpose; `joined` waits for the socket as well; `socket=False`
    prevents it; `script` runs before the page's scripts.
    Pages close before the sites of `start_site` stop, as a page complains of a site that is gone.
    """
    contexts: list[BrowserContext] = []
    watched: list[tuple[Page, list[str]]] = []
    forgiven = [
        "unable to fetch the country",  # the warning of R45 without a lookup service
        "page views are not counted",  # a page that is left at once stops this script
    ]

    def open_page(
        path: str,
        *,
        on: Site | None = None,
        width: int = 1280,
        height: int = 900,
        javascript: bool = True,
        dark: bool = False,
        calm: bool = True,
        wait: bool = True,
        joined: bool = False,
        socket: bool = True,
        script: str = "",
        allowed: tuple[str, ...] = (),
        **options: Any,
    ) -> Page:
        motion = "reduce" if calm else "no-preference"
        context = browser.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=javascript, reduced_motion=motion, **options
        )
        context.add_init_script(_WATCH)
        if dark:
            context.add_init_script("try { localStorage.theme = 'dark' } catch {}")
        if script:
            context.add_init_script(script)
        if not socket:
            context.route_web_socket("**/_event**", lambda line: line.close())
            forgiven.append("WebSocket")
        contexts.append(context)
        forgiven.extend(allowed)
        page = slowed(context.new_page())
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        watched.append((page, complaints))
        frames: list[str] = []
        page.on("websocket", lambda line: line.on("framereceived", lambda frame: frames.append(str(frame))))
        page.goto((on or site).url + path)
        if javascript and wait:
            hydrated(page)
        if joined:
            until_true(page, lambda: any('"is_hydrated_rx_state_":true' in frame for frame in frames))
        return page

    yield open_page
    complaints_left = []
    for page, complaints in watched:
        violations = page.evaluate("window.__violations ?? []") if not page.is_closed() and _scripted(page) else []
        complaints_left += [text for text in (*complaints, *violations) if not any(part in text for part in forgiven)]
    for context in contexts:
        context.close()
    assert not complaints_left, f"the page complained: {complaints_left}"


@pytest.fixture
def page(visit: Visit) -> Page:
    """The home page at 1280 px, ready."""
    return visit("/")


def _scripted(page: Page) -> bool:
    try:
        return bool(page.evaluate("true"))
    except Exception:  # JavaScript is off
        return False
