"""Chromium with one production build; a console message or policy violation fails the test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.visit import Visit, Visits
from tests.browser.waiting import PATIENCE_MS
from tests.support.chromium import ARGUMENTS, headless_path
from tests.support.site_server import PATIENT, Site, build, free_port

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def built() -> None:
    build("http://localhost:3000")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=headless_path() or None, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site, started once per session; a test that stops it uses `stoppable_site`."""
    running = Site(free_port(), tmp_path_factory.mktemp("var"), PATIENT).start()
    yield running
    running.kill()


@pytest.fixture
def stoppable_site(site: Site) -> Iterator[Site]:
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
    """Opens pages: see Visits.open. They close before the sites of `start_site` stop, as a page complains of a site that is gone."""
    visits = Visits(browser, site)
    yield visits.open
    complaints = visits.close()
    assert not complaints, f"the page complained: {complaints}"


@pytest.fixture
def page(visit: Visit) -> Page:
    """The home page at 1280 px, ready."""
    return visit("/")
