"""How fast the page answers a click on a slow phone: a processor four times slower, a network 150 ms away."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.bench.part import Bar, Extent, Measured, NotRun, Table, median, percentile
from tests.bench.stage import build_site, site
from tests.browser.chromium import found
from tests.browser.conftest import hydrated

SLOWDOWN, DELAY_MS = 4, 150
KILOBITS = 1638.4  # Lighthouse's slow 4G
# As a hand does it: the pointer comes to rest, and a press takes its time. Playwright's own click moves, presses and lets go at one
# instant, after a script of its own has looked what is there, and the click's delay would hold all of that.
REST_MS, PRESS_MS = 150, 80
LONGEST_INP_MS = 100
_WATCH = """
window.__interactions = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.interactionId) window.__interactions.push({ name: entry.name, ms: entry.duration });
}).observe({ type: "event", buffered: true, durationThreshold: 16 });
addEventListener("hydrated", () => { window.__hydrated = true; window.__hydratedAt = performance.now(); });
for (const touch of ["pointerdown", "mouseover", "keydown"])
  addEventListener(touch, (event) => { window.__touchedAt ??= event.timeStamp; }, { capture: true, once: true });
addEventListener("click", (event) => { window.__clickedAt = event.timeStamp; }, true);
"""
# Resolves at the end of the frame in which the condition first holds, counted from the click.
_SEEN = """async () => {
  for (;;) {
    const paint = await new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))));
    if (CONDITION) return paint - window.__clickedAt;
    if (paint - window.__clickedAt > 15000) return Infinity;
  }
}"""


@dataclass(frozen=True)
class Errand:
    """What a visitor does: where, the way there without a measurement, the click measured, and what he then sees."""

    says: str
    path: str
    click: Callable[[Page], None]
    seen: str
    ready: Callable[[Page], None] = lambda _page: None


def _click(selector: str, text: str = "") -> Callable[[Page], None]:
    def click(page: Page) -> None:
        found = page.locator(selector).filter(has_text=text) if text else page.locator(selector)
        found.first.scroll_into_view_if_needed()
        box = found.first.bounding_box()
        assert box, f"{selector} is not to be seen"
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(REST_MS)
        page.mouse.down()
        page.wait_for_timeout(PRESS_MS)
        page.mouse.up()

    return click


_MENU = _click(".bar-links summary", "Company")
_LANGUAGES = _click(".bar-wide [data-language-menu]")
ERRANDS = {
    "dialog": Errand(
        "open a dialog",
        "/",
        _click("main [commandfor=quote-dialog]"),
        "document.querySelector('#quote-dialog').checkVisibility()",
    ),
    "dialog_close": Errand(
        "close it again",
        "/",
        _click("#quote-dialog [command=close]"),
        "!document.querySelector('#quote-dialog').open",
        ready=_click("main [commandfor=quote-dialog]"),
    ),
    "question": Errand(
        "open an answer of the FAQ",
        "/faq",
        _click("main details:not([open]) > summary"),
        "document.querySelector('main details[open]')",
    ),
    "menu": Errand("open a menu", "/", _MENU, "document.querySelector('.bar-links details[open]')"),
    "navigation": Errand(
        "go to another page",
        "/",
        _click(".bar-links a", "About us"),
        "location.pathname == '/company/about-us' && document.title.startsWith('About')",
        ready=_MENU,
    ),
    "language": Errand(
        "switch the language",
        "/",
        _click(".bar-wide a[data-language=th]"),
        "document.documentElement.lang == 'th'",
        ready=_LANGUAGES,
    ),
}


def interaction(extent: Extent) -> Measured:
    """Each errand in fresh tabs, and how long after the first touch React has taken over."""
    if not (chrome := found()):
        raise NotRun("there is no Chromium on this machine")
    build_site()
    runs = extent.pick(9, 1)
    with site(extent.room) as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chrome, args=["--no-sandbox"])
        seen: dict[str, list[tuple[float, float]]] = {name: [] for name in ERRANDS}
        touched: list[float] = []
        for _ in range(runs):
            for name, errand in ERRANDS.items():
                seen[name].append(_done(browser, running.url, errand))
            touched.append(_first_touch(browser, running.url))
        version = browser.version
        browser.close()
    return _reported(seen, touched, version, runs)


def _done(browser: Browser, url: str, errand: Errand) -> tuple[float, float]:
    """INP of the click, and milliseconds until its result is painted."""
    with _slow_tab(browser) as page:
        page.goto(url + errand.path)
        hydrated(page)
        page.mouse.move(9, 450)  # a hand is on the page: the first touch may have come before the script that waits for one
        page.wait_for_timeout(1500)  # the rest of the start, the whole style and the socket: a reader's first moments
        errand.ready(page)
        page.wait_for_timeout(300)
        page.evaluate("window.__interactions.length = 0")
        errand.click(page)
        until_seen = page.evaluate(_SEEN.replace("CONDITION", errand.seen))
        page.wait_for_timeout(400)  # event timings are told a moment after their frame
        clicks = page.evaluate("window.__interactions.map((one) => one.ms)")
        return max(clicks, default=8.0), until_seen  # below 16 ms the browser reports nothing


def _first_touch(browser: Browser, url: str) -> float:
    """From a touch right after the page is painted to the moment React answers."""
    with _slow_tab(browser) as page:
        page.goto(url, wait_until="load")
        hydrated(page)
        return page.evaluate("window.__hydratedAt - window.__touchedAt")


@contextmanager
def _slow_tab(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="no-preference")
    context.add_init_script(_WATCH)
    page = context.new_page()
    line: CDPSession = context.new_cdp_session(page)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    line.send("Network.enable")
    speed = KILOBITS * 1024 / 8
    line.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": DELAY_MS, "downloadThroughput": speed, "uploadThroughput": speed},
    )
    yield page
    context.close()


def _reported(seen: Mapping[str, list[tuple[float, float]]], touched: list[float], version: str, runs: int) -> Measured:
    measured = Measured({"slowdown": SLOWDOWN, "delay_ms": DELAY_MS}, versions={"browser": version})
    rows = []
    for name, errand in ERRANDS.items():
        inp, shown = [[one[index] for one in seen[name]] for index in (0, 1)]
        usual = percentile(inp, 0.75)
        measured.figures |= {f"{name}.inp_ms": usual, f"{name}.seen_ms": median(shown)}
        rows.append([errand.says, f"{median(inp):.0f}", f"{usual:.0f}", f"{max(inp):.0f}", f"{median(shown):,.0f}"])
        measured.bars.append(Bar(f"INP in ms: {errand.says}", usual, most=LONGEST_INP_MS))
    measured.figures |= {
        "touch_ms": median(touched),
        "worst_inp_ms": max(bar.value for bar in measured.bars),
    }
    rows.append(["from the first touch until React answers", "", "", "", f"{median(touched):,.0f}"])
    note = (
        f"{runs} fresh tabs each, Chromium with {SLOWDOWN}× CPU slowdown, {DELAY_MS} ms of delay and {KILOBITS:.0f} kbit/s; the pointer "
        f"rests for {REST_MS} ms, and a press takes {PRESS_MS} ms, as a hand's does. INP is the browser's own event timing in steps of 8 ms, "
        "8 where it was too short to be reported. Held to the bar is the third quartile, as INP is in the field."
    )
    head = ("", "INP ms, median", "75 %", "worst", "ms until it is seen, median")
    measured.tables = [Table("Each interaction", head, rows, note)]
    return measured
