"""The site's forms in Chromium, each filled in to its last field."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from playwright.async_api import Browser, Error, Locator, Page, async_playwright

from tests.browser.chromium import found
from tests.faults.scorecard import NotRun
from tests.faults.trial import until

_WATCH = "addEventListener('hydrated', () => { window.__hydrated = true })"
_WORDS = {
    "full_name": "Ada Lovelace",
    "first_name": "Ada",
    "last_name": "Lovelace",
    "phone": "020 7946 0958",
    "company": "Analytical Engines Ltd",
    "company_website": "https://www.example.com/ada",
    "subject": "A question",
    "message": "Do you write programs for machines that do not exist yet?",
    "project_description": "A machine that weaves algebraic patterns, as a web application.",
    "project_information": "A machine that weaves algebraic patterns.",
    "additional_notes": "Punched cards welcome.",
}
_CHOSEN = {"country": "unit k", "currency": "pound s"}
# What would be sent, by name: the trap and what the form adds by itself are nobody's words.
_SAID = """form => {
  const said = {};
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && !['', 'website_url', 'phone_country'].includes(name)) (said[name] ??= []).push(value);
  return said;
}"""


@dataclass(frozen=True)
class Form:
    """Where it is; the consultation's comes after a time has been chosen."""

    path: str
    id: str

    def on(self, page: Page) -> Locator:
        return page.locator(f"#{self.id}")

    async def said(self, page: Page) -> dict[str, list[str]]:
        """By name what is in its fields now, empty ones too."""
        return await self.on(page).evaluate(_SAID)

    async def fill(self, page: Page, email: str, *, nth: int = 0) -> None:
        """Type or choose something in every field; `nth` visitors may book at once."""
        form = self.on(page)
        if self.id == "consultation-form":
            await _choose_time(page, nth)
        for name, words in (_WORDS | {"email": email}).items():
            if await form.locator(f"[name={name}]").count():
                await form.locator(f"[name={name}]").fill(words)
        for name, typed in _CHOSEN.items():
            if await (box := page.locator(f"#{self.id}-{name}")).count():
                await box.fill(typed)
                await page.get_by_role("option").first.wait_for()
                await box.press("Enter")
        boxes = await form.locator("input[type=checkbox]").all()
        for box in boxes[:1] + boxes[1:][-1:]:
            await box.check()

    async def send(self, page: Page) -> None:
        await self.on(page).locator("[type=submit]").click(no_wait_after=True)


QUOTE = Form("/?open=quote", "quote-form")
CONTACT = Form("/?open=contact", "contact-form")
CONTACT_PAGE = Form("/contact-us", "contact-page-form")
AFFILIATE = Form("/company/affiliate-program", "affiliate-form")
CONSULTATION = Form("/?open=consultation", "consultation-form")
FORMS = (QUOTE, CONTACT, CONTACT_PAGE, AFFILIATE, CONSULTATION)


@asynccontextmanager
async def chromium(*options: str) -> AsyncIterator[Browser]:
    if not (path := found()):
        raise NotRun("needs Chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", *options])
        yield browser
        await browser.close()


async def opened(browser: Browser, address: str, form: Form, watch: Callable[[Page], None] = lambda page: None) -> Page:
    """A visitor's own tab with the form in it, React there, and its socket connected; `watch` gets the page while it is empty."""
    context = await browser.new_context(reduced_motion="reduce")
    await context.add_init_script(_WATCH)
    page = await context.new_page()
    page.set_default_timeout(20_000)
    watch(page)
    async with page.expect_websocket() as _socket:
        await page.goto(address + form.path)
        await hydrated(page)
    await form.on(page).wait_for(state="attached" if form is CONSULTATION else "visible")
    return page


async def hydrated(page: Page) -> None:
    """Mean to do something, as by a press on a button that opens a dialog, and wait until React has taken over."""
    await page.locator("[command=show-modal]").first.dispatch_event("pointerdown")
    await holds(lambda: page.evaluate("window.__hydrated === true"), seconds=20)


async def holds(what: Callable[[], Awaitable[object]], *, seconds: float) -> None:
    """Wait until it is so, across reloads too; the pages' policy forbids Playwright's own wait."""

    async def so() -> bool:
        try:
            return bool(await what())
        except Error:  # the page is just being replaced
            return False

    await until(so, seconds=seconds)


async def _choose_time(page: Page, nth: int) -> None:
    await page.locator(".slot").first.wait_for()
    if await (days := page.locator(".calendar-day")).count():
        await days.nth(1).click()
    await page.locator(".times-form .slot input").nth(3 * nth).check()
    await page.get_by_role("button", name="Continue with this time").click()
    await page.get_by_role("heading", name="Your details").wait_for()
