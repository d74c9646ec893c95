"""Row 11: the network dies behind a click, in Chromium; the visitor is told, and later there is one lead."""

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass

from playwright.async_api import Browser, Page
from playwright.async_api import TimeoutError as NotSeen

from tests.browser.server import Site, free_port
from tests.faults.forms import CONTACT_PAGE, FORMS, Form, chromium, opened
from tests.faults.network import FAULTS, Fault, Network
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial, database

_AT_ONCE = 4
_DEAD_LONGER = 2.0  # seconds the network stays dead after the visitor was told


@dataclass(frozen=True)
class Ending:
    """What one visitor saw, and what is kept of his."""

    what: str
    told_after: float
    by_himself: bool  # had to press "Try again"
    reference: str
    kept: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        return self.told_after <= 10 and self.kept == (self.reference,)


async def dead_network(trial: Trial) -> Verdict:
    """Each visitor comes over a network of his own, by a loopback address of his own."""
    errands = [(form, fault) for form in ((CONTACT_PAGE,) if trial.short else FORMS) for fault in FAULTS]
    addresses = [f"127.0.0.{number + 2}" for number in range(len(errands))]
    port = free_port()
    site = trial.site(url=f"http://localhost:{port}", hosts=",".join(addresses), booking_buffer="0s")
    few = asyncio.Semaphore(_AT_ONCE)
    endings: list[Ending] = []

    async def errand(number: int) -> None:
        form, fault = errands[number]
        async with few, Network(addresses[number], listen=port, forward=site.port) as network:
            endings.append(await _errand(browser, site, network, f"http://{addresses[number]}:{port}", form, fault, number))

    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(chromium())
        await asyncio.gather(*(errand(number) for number in range(len(errands))))
    wrong = [ending.what for ending in endings if not ending.is_right]
    return Verdict(
        not wrong,
        f"{len(endings)} visitors, {len({form for form, _ in errands})} forms × {len(FAULTS)} kinds (black hole and reset, before and "
        f"after the request left): told after {max(one.told_after for one in endings):.1f} s at the latest, "
        f"{len(endings) - len(wrong)} with exactly one lead and its reference"
        f"{' (' + str(sum(one.by_himself for one in endings)) + ' pressed Try again)'}{': wrong ' + ', '.join(wrong) if wrong else ''}",
    )


async def _errand(browser: Browser, site: Site, network: Network, address: str, form: Form, fault: Fault, nth: int) -> Ending:
    email = f"ada.{nth}@example.org"
    page = await opened(browser, address, form)
    await form.fill(page, email, nth=nth % len(FAULTS))
    network.breaks(fault)
    began = time.monotonic()
    await form.send(page)
    await page.locator(".snackbar").get_by_text("Network Error").wait_for()
    told_after = time.monotonic() - began
    await asyncio.sleep(_DEAD_LONGER)
    network.mends()
    by_himself = not await _is_through(page, seconds=10)
    if by_himself:
        await page.locator(".snackbar").get_by_role("button", name="Try again").click()
        await _is_through(page, seconds=20)
    reference = await page.locator(".result:visible dd strong").first.inner_text()
    await page.context.close()
    return Ending(f"{form.id}, {fault}", told_after, by_himself, reference, _kept(site, email))


async def _is_through(page: Page, *, seconds: float) -> bool:
    try:
        await page.locator(".result:visible").first.wait_for(timeout=seconds * 1000)
    except NotSeen:
        return False
    return True


def _kept(site: Site, email: str) -> tuple[str, ...]:
    with database(site) as rows:
        found = [rows.execute(f"SELECT reference FROM {table} WHERE email = ?", (email,)) for table in ("lead", "meeting")]
        return tuple(reference for one in found for (reference,) in one)
