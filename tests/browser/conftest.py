"""Chromium against one production build; whatever a page complains about fails its test."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.chromium import found
from tests.browser.server import Site, build, free_port

_WATCH = """
addEventListener('securitypolicyviolation', e => (window.__violations ??= []).push(e.effectiveDirective + ' ' + e.blockedURI));
addEventListener('hydrated', () => { window.__hydrated = true });
"""


@pytest.fixture(scope="session")
def built() -> None:
    build("http://localhost:3000")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found() or None, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def site(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site, started once per module; a test that stops it starts it again."""
    running = Site(free_port(), tmp_path_factory.mktemp("var")).start()
    yield running
    running.stop()


@pytest.fixture
def start_site(built: None, tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Start a site of one's own with the SITE_* settings given."""
    started: list[Site] = []

    def start(**settings: str) -> Site:
        started.append(Site(free_port(), tmp_path / f"var{len(started)}", settings).start())
        return started[-1]

    yield start
    for one in started:
        one.stop()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Callable[..., Page]]:
    """Open a page in a context of its own: visit("/faq", viewport=…, javascript=False, dark=True, calm=True).

    `allowed` names parts of console messages that this test brings about on purpose.
    """
    contexts: list[BrowserContext] = []
    watched: list[tuple[Page, list[str]]] = []
    forgiven = ["unable to fetch the country"]  # the spec's warning, where no lookup service is set

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
        contexts.append(context)
        forgiven.extend(allowed)
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        watched.append((page, complaints))
        page.goto((on or site).url + path)
        if javascript and wait:
            hydrated(page)
        return page

    yield open_page
    found = []
    for page, complaints in watched:
        violations = page.evaluate("window.__violations ?? []") if not page.is_closed() and _scripted(page) else []
        found += [one for one in (*complaints, *violations) if not any(part in one for part in forgiven)]
    for context in contexts:
        context.close()
    assert not found, f"the page complained: {found}"


@pytest.fixture
def page(visit: Callable[..., Page]) -> Page:
    """The home page at 1280 px, ready."""
    return visit("/")


def hydrated(page: Page) -> None:
    """Touch the page, which starts React at once, and wait until it has taken over."""
    page.mouse.move(1, 1)
    for _ in range(400):  # wait_for_function would need unsafe-eval
        if page.evaluate("window.__hydrated === true"):
            return
        page.wait_for_timeout(25)
    raise TimeoutError("React did not take the page over")


def _scripted(page: Page) -> bool:
    try:
        return bool(page.evaluate("true"))
    except Exception:  # JavaScript is off
        return False
