"""The phone input in its own project: built once, served on a free port, tested in Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.other_project import running
from tests.browser.phone.field import watch
from tests.browser.visit import slowed

APP = Path(__file__).parent / "app"


@pytest.fixture(scope="session")
def project_url() -> Iterator[str]:
    with running(APP, "phone_app") as url:
        yield url


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One context for all tests: the field stores nothing, and cached scripts load much faster."""
    context = browser.new_context(viewport={"width": 900, "height": 900}, locale="en-GB")
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    page = slowed(context.new_page())
    watch(page, complaints := [])
    yield page
    page.close()
    assert complaints == []
