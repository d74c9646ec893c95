"""Row 12: what was typed is still there after a change of language, a restart, a reload, and a release with another state class."""

import asyncio
from contextlib import suppress
from pathlib import Path

from playwright.async_api import Browser

from tests.browser.server import Site
from tests.faults.forms import FORMS, Form, chromium, holds, hydrated, opened
from tests.faults.release import next_release
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial

_AGAIN_SECONDS = 30  # a page looks for its server ever more seldom


class Typist:
    """A visitor who has filled in one form to its last field and does not send it."""

    def __init__(self, browser: Browser, site: Site, form: Form) -> None:
        self._browser, self._site, self.form = browser, site, form
        self._sockets = 0

    async def types(self) -> None:
        self.page = await opened(self._browser, f"http://127.0.0.1:{self._site.port}", self.form)
        self.page.on("websocket", self._count)
        await self.form.fill(self.page, "ada@example.org")
        self.typed = await self.form.said(self.page)
        empty = [name for name, values in self.typed.items() if "" in values]
        assert not empty, f"nothing was typed into {empty} of {self.form.id}"

    async def kept(self) -> int:
        """How many of the fields say what was typed, as soon as all do, or after a while."""
        with suppress(TimeoutError):
            await holds(self._is_whole, seconds=10)
        return await self._right()

    async def changes_language(self) -> None:
        await self.page.locator("a[data-language=th]").first.evaluate("link => link.click()")
        await holds(lambda: self.page.evaluate("location.pathname.startsWith('/th')"), seconds=20)

    async def reloads(self) -> None:
        await self.page.reload()
        await self._comes_back()

    async def reconnects(self) -> None:
        seen = self._sockets
        await holds(lambda: _said(self._sockets > seen), seconds=_AGAIN_SECONDS)

    async def is_reloaded(self, before: float) -> None:
        """Reflex reloads the page by itself when the server's states are not those it was built for."""
        await holds(lambda: self.page.evaluate(f"performance.timeOrigin > {before}"), seconds=_AGAIN_SECONDS)
        await self._comes_back()

    async def age(self) -> float:
        return await self.page.evaluate("performance.timeOrigin")

    async def _comes_back(self) -> None:
        await hydrated(self.page)
        dialog = self.form.path.partition("open=")[2]
        if dialog:
            await self.page.locator(f"dialog[data-name={dialog}]").evaluate("dialog => dialog.open || dialog.showModal()")

    async def _is_whole(self) -> bool:
        return await self._right() == len(self.typed)

    async def _right(self) -> int:
        if not await self.form.on(self.page).count():
            return 0
        now = await self.form.said(self.page)
        return sum(now.get(name) == values for name, values in self.typed.items())

    def _count(self, _socket: object) -> None:
        self._sockets += 1


async def typed_text(trial: Trial) -> Verdict:
    """The server stays the same for the first two changes; the release is built meanwhile."""
    site = trial.site(startup_delay="100ms")
    building = asyncio.create_task(asyncio.to_thread(next_release, trial.room / "release"))
    async with chromium() as browser:
        typists = [Typist(browser, site, form) for form in FORMS]
        for typist in typists:
            await typist.types()
        told: list[str] = []
        for change in ("language", "reload", "restart", "release"):
            await _happens(change, site, typists, building)
            kept = [await typist.kept() for typist in typists]
            lost = [one.form.id for one, right in zip(typists, kept, strict=True) if right < len(one.typed)]
            told.append(f"{change} {sum(kept)}" + (f" (short: {', '.join(lost)})" if lost else ""))
    fields = sum(len(typist.typed) for typist in typists)
    return Verdict(
        all("short" not in one for one in told),
        f"of {fields} fields of {len(FORMS)} forms still as typed after {'; '.join(told)}",
    )


async def _happens(change: str, site: Site, typists: list[Typist], building: "asyncio.Task[Path]") -> None:
    if change == "language":
        await asyncio.gather(*(typist.changes_language() for typist in typists))
    elif change == "reload":
        await asyncio.gather(*(typist.reloads() for typist in typists))
    elif change == "restart":
        back = [asyncio.create_task(typist.reconnects()) for typist in typists]
        await _restart(site)
        await asyncio.gather(*back)
    else:
        site.root = await building
        ages = [await typist.age() for typist in typists]
        await _restart(site)
        await asyncio.gather(*(typist.is_reloaded(age) for typist, age in zip(typists, ages, strict=True)))


async def _restart(site: Site) -> None:
    await asyncio.to_thread(site.stop)
    await asyncio.to_thread(site.start)


async def _said(what: bool) -> bool:
    return what
