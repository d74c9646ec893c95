"""Row 30: a provider with the spec's seven calls, and every other call of it misbehaving; each form is sent in Chromium."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect, sync_playwright

from tests.browser.chromium import found
from tests.browser.conftest import hydrated
from tests.browser.forms.filling import CONSULTATION, CONTACT_PAGE, FORMS, QUOTE, Form, result
from tests.browser.server import Site
from tests.faults.forms import WATCH
from tests.faults.scorecard import NotRun, Verdict
from tests.faults.trial import Trial
from tests.stub_provider import OPTIONAL, Fault, StubProvider, stub_provider

_FAULTS: tuple[Fault, ...] = (404, 429, 500, "silent")
_MOST_WARNINGS = 1


@dataclass
class _Ending:
    """How often one visitor's lead arrived, what their console said, and how long the answer took."""

    what: str
    arrived: int = 0
    seconds: float = 0.0
    failure: str = ""
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type in ("error", "warning"):
            (self.errors if said.type == "error" else self.warnings).append(said.text)

    @property
    def wrong(self) -> str:
        loud = [*self.errors, *self.warnings] if self.errors or len(self.warnings) > _MOST_WARNINGS else []
        lost = [] if self.arrived == 1 and not self.failure else [f"{self.arrived} leads {self.failure}"]
        return f"{self.what}: {'; '.join([*lost, *loud])}"[:150] if lost or loud else ""


async def seven_calls(trial: Trial) -> Verdict:
    """In the short form all optional calls misbehave at once, in the long one each alone as well."""
    if not found():
        raise NotRun("needs Chromium")
    groups = [tuple(OPTIONAL)] if trial.short else [tuple(OPTIONAL), *((name,) for name in OPTIONAL)]
    forms = (QUOTE, CONTACT_PAGE, CONSULTATION) if trial.short else (*FORMS, CONSULTATION)
    with stub_provider() as stub:
        site = trial.site(provider_url=stub.url, startup_delay="100ms")
        endings = await asyncio.to_thread(_endings, stub, site, groups, forms)
        own = sorted({*OPTIONAL["insights"], *OPTIONAL["lookup"]} & {*stub.asked})
    arrived = sum(one.arrived == 1 and not one.failure for one in endings)
    wrong = [one.wrong for one in endings if one.wrong] + [f"asked the provider for {name}" for name in own]
    if len(stub.taken) != len(endings):
        wrong.append(f"{len(stub.taken)} leads at the provider")
    return Verdict(
        not wrong,
        f"{arrived} of {len(endings)} leads exactly once, {sum(len(one.errors) for one in endings)} console errors, at most "
        f"{max(len(one.warnings) for one in endings)} warnings to a visitor, told after {max(one.seconds for one in endings):.1f} s at the "
        f"latest{'; wrong: ' + ' | '.join(wrong[:3]) if wrong else ''}",
    )


def _endings(stub: StubProvider, site: Site, groups: Sequence[tuple[str, ...]], forms: Sequence[Form]) -> list[_Ending]:
    endings: list[_Ending] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found(), args=["--no-sandbox"])
        for group in groups:
            for fault in _FAULTS:
                stub.faults.clear()
                for name in group:
                    stub.misbehaves(name, fault)
                which = group[0] if len(group) == 1 else "all"
                endings += [_sent(browser, stub, site, form, f"{which} {fault}, {form}") for form in forms]
        browser.close()
    return endings


def _sent(browser: Browser, stub: StubProvider, site: Site, form: Form, what: str) -> _Ending:
    ending, before = _Ending(what), len(stub.taken)
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.add_init_script(WATCH)
    ending.watch(page := context.new_page())
    try:
        with page.expect_websocket():
            page.goto(site.url + form.path)
            hydrated(page)
        form.fill(form.on(page))
        began = time.monotonic()
        form.button(page).click(no_wait_after=True)
        expect(result(page)).to_be_visible()
        ending.seconds = time.monotonic() - began
    except (AssertionError, Error) as error:
        ending.failure = " ".join(str(error).split())[:200]
    ending.arrived = len(stub.taken) - before
    context.close()
    return ending
