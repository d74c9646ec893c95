"""The contact form in Chromium, filled in and sent by a visitor of a trial."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from playwright.async_api import Browser, Error, Page, async_playwright

from tests.browser.waiting import HYDRATED
from tests.support.chromium import chromium_path
from tests.trials.lab.scorecard import NotRun
from tests.trials.lab.trial import until

CONTACT_PAGE = "/contact-us"
_FORM = "#contact-page-form"


@asynccontextmanager
async def chromium(*options: str) -> AsyncIterator[Browser]:
    if not (path := chromium_path()):
        raise NotRun("needs Chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", *options])
        yield browser
        await browser.close()


async def open_tab(browser: Browser, address: str) -> Page:
    """Opens the form in a visitor's own tab, with React and the socket connected."""
    context = await browser.new_context(reduced_motion="reduce")
    page = await context.new_page()
    page.set_default_timeout(20_000)
    async with page.expect_websocket() as _socket:
        await page.goto(address + CONTACT_PAGE)
        await hydrated(page)
    await page.locator(_FORM).wait_for()
    return page


async def fill(page: Page, email: str) -> None:
    words = {
        "full_name": "Ada Lovelace",
        "email": email,
        "subject": "A question",
        "message": "Do you write programs for machines?",
    }
    for name, text in words.items():
        await page.locator(f"{_FORM} [name={name}]").fill(text)


async def send(page: Page) -> None:
    await page.locator(f"{_FORM} [type=submit]").click(no_wait_after=True)


async def hydrated(page: Page) -> None:
    """Presses a button that opens a dialog, and waits until React has taken over."""
    await page.locator("[command=show-modal]").first.dispatch_event("pointerdown")
    await holds(lambda: page.evaluate(HYDRATED), seconds=20)


async def holds(check: Callable[[], Awaitable[object]], *, seconds: float) -> None:
    """Waits until the script gives true, across reloads too; the pages' policy forbids Playwright's own wait."""

    async def succeeds() -> bool:
        try:
            return bool(await check())
        except Error:  # the page is being replaced
            return False

    await until(succeeds, seconds=seconds)
