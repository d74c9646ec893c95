"""Row 30: a provider with the spec's seven calls, and every other call of it misbehaving; each form is sent in Chromium."""

import asyncio
import time
from dataclasses import dataclass, field

from playwright.async_api import Browser, ConsoleMessage, Page

from tests.browser.server import Site
from tests.faults.forms import CONSULTATION, CONTACT_PAGE, FORMS, QUOTE, Form, chromium, opened
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial
from tests.stub_provider import OPTIONAL, Fault, StubProvider, stub_provider

_FAULTS: tuple[Fault, ...] = (404, 429, 500, "silent")
_MOST_WARNINGS = 1


@dataclass
class Ending:
    """What one visitor's console said, and how long the answer took."""

    what: str
    email: str
    seconds: float = 0.0
    is_told: bool = False
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type in ("error", "warning"):
            (self.errors if said.type == "error" else self.warnings).append(said.text)

    @property
    def is_quiet(self) -> bool:
        return not self.errors and len(self.warnings) <= _MOST_WARNINGS


async def seven_calls(trial: Trial) -> Verdict:
    """In the short form all optional calls misbehave at once, in the long one each alone as well."""
    every = tuple(OPTIONAL)
    groups = [every] if trial.short else [every, *((name,) for name in every)]
    forms = (QUOTE, CONTACT_PAGE, CONSULTATION) if trial.short else FORMS
    endings: list[Ending] = []
    with stub_provider() as stub:
        site = trial.site(provider_url=stub.url, startup_delay="100ms")
        async with chromium() as browser:
            for group in groups:
                for fault in _FAULTS:
                    stub.faults.clear()
                    for name in group:
                        stub.misbehaves(name, fault)
                    tried = [
                        Ending(
                            f"{'all' if group == every else group[0]} {fault}, {form.id}",
                            f"ada.{len(endings) + at}@example.org",
                        )
                        for at, form in enumerate(forms)
                    ]
                    await asyncio.gather(*(_errand(browser, site, form, one) for form, one in zip(forms, tried, strict=True)))
                    endings += tried
        return _verdict(endings, stub)


async def _errand(browser: Browser, site: Site, form: Form, ending: Ending) -> None:
    page = await opened(browser, f"http://localhost:{site.port}", form, ending.watch)
    await form.fill(page, ending.email)
    began = time.monotonic()
    await form.send(page)
    await page.locator(".result:visible").first.wait_for()
    ending.is_told, ending.seconds = True, time.monotonic() - began
    await page.context.close()


def _verdict(endings: list[Ending], stub: StubProvider) -> Verdict:
    arrived = [said["email"] for _, said in stub.taken]
    lost = [one.what for one in endings if arrived.count(one.email) != 1 or not one.is_told]
    loud = [f"{one.what}: {one.errors + one.warnings}" for one in endings if not one.is_quiet]
    own = {*OPTIONAL["insights"], *OPTIONAL["lookup"]} & {*stub.asked}
    wrong = [*lost, *loud, *(f"asked the provider for {name}" for name in own)]
    return Verdict(
        not wrong,
        f"{len(endings) - len(lost)} of {len(endings)} leads exactly once, {sum(len(one.errors) for one in endings)} console errors, "
        f"told after {max(one.seconds for one in endings):.1f} s at the latest"
        f"{': wrong ' + '; '.join(wrong) if wrong else ''}",
    )
