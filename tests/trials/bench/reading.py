"""Measures a page's bytes and requests for somebody who only reads it for a minute, and the extra bytes for somebody who scrolls."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import mean
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Browser, Error, Page, async_playwright

from site_app.core.i18n import split_language
from tests.support.chromium import chromium_path
from tests.trials.bench.pages import MAX_KB, sampled
from tests.trials.bench.part import Bar, Extent, Measured, Table
from tests.trials.bench.stage import CLIENT, site
from tests.trials.lab.scorecard import NotRun

MAX_HTML_KB = 19
MAX_AVERAGE_KB, MAX_AVERAGE_HTML_KB = 26, 16  # a fifth above the measured values, so that pages may grow
PAGE_VIEW = "/v1.0/pageView"
_PHONE: Mapping[str, Any] = {
    "viewport": {"width": 412, "height": 823},
    "device_scale_factor": 1.75,
    "is_mobile": True,
    "has_touch": True,
}
_AT_ONCE, _TRIES = 17, 3
_SCROLL = """async () => {
  for (let step = 1; step <= 20; step++) {
    scrollTo(0, document.documentElement.scrollHeight * step / 20);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}"""


@dataclass
class Reader:
    """The requests of one tab: kB by request, and sockets."""

    kb: dict[str, float] = field(default_factory=dict)
    requests: dict[str, tuple[str, str, str]] = field(default_factory=dict)  # kind, method and path
    sockets: int = 0
    read: frozenset[str] = frozenset()  # those of the first minute

    async def watch(self, page: Page) -> None:
        line = await page.context.new_cdp_session(page)
        line.on("Network.requestWillBeSent", self._ask)
        line.on(
            "Network.loadingFinished", lambda event: self.kb.update({event["requestId"]: event["encodedDataLength"] / 1000})
        )
        line.on("Network.webSocketCreated", self._connect)
        await line.send("Network.enable")

    def _ask(self, event: Mapping[str, Any]) -> None:
        url = urlsplit(event["request"]["url"])
        if url.scheme.startswith("http"):
            self.requests[event["requestId"]] = (event.get("type", "Other"), event["request"]["method"], url.path)

    def _connect(self, _event: Mapping[str, Any]) -> None:
        self.sockets += 1

    def sum(self, requests: Iterable[str], kind: str = "") -> float:
        return sum(
            self.kb.get(request, 0)
            for request in requests
            if request in self.requests and self.requests[request][0].startswith(kind)
        )

    @property
    def calls(self) -> list[str]:
        """Returns the requests that are neither a file of the build nor the page view."""
        return [
            f"{method} {path}" for _, method, path in self.requests.values() if not _is_file(method, path) and path != PAGE_VIEW
        ]


def reading(extent: Extent) -> Measured:
    """A phone opens each page, leaves it alone for a minute, and then scrolls to its end."""
    if not (chrome := chromium_path()):
        raise NotRun("there is no Chromium on this machine")
    paths, seconds = sampled(extent), extent.pick(60, full=60, short=3)
    with site(extent.folder) as running:
        readers = asyncio.run(_all_read(chrome, running.url, paths, seconds))
    return _reported({path: reader for path, reader in readers.items() if reader}, paths, seconds)


async def _all_read(chrome: str, url: str, paths: list[str], seconds: int) -> dict[str, Reader | None]:
    readers: dict[str, Reader | None] = {}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chrome, args=["--no-sandbox"])
        for first in range(0, len(paths), _AT_ONCE):
            some = paths[first : first + _AT_ONCE]
            readers |= zip(some, await asyncio.gather(*(_read(browser, url + path, seconds) for path in some)), strict=True)
        await browser.close()
    return readers


async def _read(browser: Browser, url: str, seconds: int) -> Reader | None:
    for _ in range(_TRIES):
        context = await browser.new_context(**_PHONE)
        try:
            page, reader = await context.new_page(), Reader()
            await reader.watch(page)
            await page.goto(url, wait_until="load", timeout=60_000)
            await page.wait_for_timeout(seconds * 1000)
            reader.read = frozenset(reader.kb)
            await page.evaluate(_SCROLL)
            await _settled(page, reader)
        except Error as error:
            print(f"    {url}: {error.message.splitlines()[0]}", flush=True)
        else:
            return reader
        finally:
            await context.close()
    return None


async def _settled(page: Page, reader: Reader) -> None:
    """Waits until all requests are finished; a busy machine takes longer."""
    for _ in range(20):
        await page.wait_for_timeout(2000)
        if reader.requests.keys() <= reader.kb.keys():
            return


def _is_file(method: str, path: str) -> bool:
    file = CLIENT / path.lstrip("/")
    return method in ("GET", "HEAD") and (file.is_file() or (file / "index.html").is_file())


def _reported(readers: Mapping[str, Reader], paths: list[str], seconds: int) -> Measured:
    if not readers:
        raise RuntimeError("no page loaded: see above")
    kb = {path: reader.sum(reader.read) for path, reader in readers.items()}
    html = {path: reader.sum(reader.read, "Document") for path, reader in readers.items()}
    scrolled = {path: reader.sum(reader.kb) for path, reader in readers.items()}
    measured = Measured(
        {"pages": len(readers), "worst_kb": max(kb.values()), "average_kb": _average(kb), "worst_html_kb": max(html.values())}
    )
    measured.figures |= {"average_html_kb": _average(html), "scrolled_kb": _average(scrolled)}
    if home := readers.get("/"):
        measured.figures["home.kb"] = kb["/"]
        rows = [[*home.requests[request], f"{home.kb[request]:.2f}"] for request in home.requests if request in home.read]
        measured.tables.append(Table("Each request of the home page", ("kind", "method", "path", "kB"), rows))
    measured.bars = [
        Bar("pages that never loaded", {"": len(paths) - len(readers)}, most=0),
        Bar(f"kB of a read page, all in, after {seconds} s", kb, most=MAX_KB),
        Bar("kB of a read page, average of the languages", {"": _average(kb)}, most=MAX_AVERAGE_KB),
        Bar("kB of a read page, scrolled to its end", scrolled, most=MAX_KB),
        Bar("kB of HTML with its style", html, most=MAX_HTML_KB),
        Bar("kB of HTML with its style, average of the languages", {"": _average(html)}, most=MAX_AVERAGE_HTML_KB),
        Bar("sockets opened by reading and scrolling", {path: reader.sockets for path, reader in readers.items()}, most=0),
        Bar("requests but for files and the page view", {path: len(reader.calls) for path, reader in readers.items()}, most=0),
    ]
    rows = [
        [path, f"{html[path]:.1f}", f"{kb[path]:.1f}", f"{len(reader.read)}", f"{scrolled[path]:.1f}", _kinds(reader)]
        for path, reader in readers.items()
    ]
    note = (
        "kB count headers and all. Scrolling fetches the style of what is closed at first, such as menus; what React needs is fetched when "
        "the pointer comes over a control that needs it, or presses one."
    )
    head = ("page", "kB of HTML", f"kB after {seconds} s", "requests", "kB once scrolled", "")
    measured.tables.append(Table("Every page read", head, rows, note))
    return measured


def _kinds(reader: Reader) -> str:
    counts = Counter(kind for request, (kind, _, _) in reader.requests.items() if request not in reader.read)
    return f"then {', '.join(f'{number} {kind.lower()}' for kind, number in counts.most_common())}" if counts else ""


def _average(values: Mapping[str, float]) -> float:
    """Averages the languages' averages, so that the number of pages in each language does not matter."""
    languages: dict[str, list[float]] = defaultdict(list)
    for path, value in values.items():
        languages[split_language(path)[0].id].append(value)
    return mean(mean(some) for some in languages.values())
