"""Response times of a page on a slow phone: a processor four times slower, a network 150 ms away."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

from playwright.sync_api import Browser, CDPSession, Error, Page, sync_playwright

from tests.browser.waiting import HYDRATED, LISTENING, until
from tests.support.chromium import chromium_path
from tests.trials.bench.part import Bar, Extent, Measured, Table, half_range
from tests.trials.bench.stage import site
from tests.trials.lab.scorecard import NotRun
from tests.trials.lab.trial import percentile

SLOWDOWN, DELAY_MS = 4, 150
KILOBITS = 1638.4  # Lighthouse's slow 4G
# Imitates a hand: the pointer rests before the press, and the press lasts. Playwright's click moves, presses and releases at one
# instant, after a script of its own has inspected the page, and the click's delay would include all of that.
REST_MS, PRESS_MS = 150, 80
READS_MS = 4000  # a visitor reads on after scrolling, before pressing
MAX_INP_MS, MAX_FIRST_MS = 150, 2500
AT_ONCE, SCROLLED, WITH_REACT = "the very first thing", "after scrolling", "with React there"
_TRIES = 3
_WATCH = """
window.__interactions = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.interactionId) window.__interactions.push(entry.duration);
}).observe({ type: "event", buffered: true, durationThreshold: 16 });
addEventListener("pointerdown", (event) => { window.__pressedAt ??= event.timeStamp; }, true);
addEventListener("click", (event) => { window.__clickedAt = event.timeStamp; }, true);
"""
# Resolves at the end of the first frame in which the condition holds, timed from the click.
_PAINTED = """async () => {
  for (;;) {
    const paint = await new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))));
    if (CONDITION) return paint - window.__clickedAt;
    if (paint - window.__clickedAt > 15000) throw new Error("nothing was seen");
  }
}"""


@dataclass(frozen=True)
class Click:
    """A click and its visible result."""

    title: str
    selector: str
    condition: str
    text: str = ""


OPEN = Click("open a dialog", "main [commandfor=quote-dialog]", "document.querySelector('#quote-dialog').checkVisibility()")
CLOSE = Click("close it again", "#quote-dialog [command=close]", "!document.querySelector('#quote-dialog').open")
ANSWER = Click("open an answer", "main details:not([open]) > summary", "document.querySelector('main details[open]')")
MENU = Click("open a menu", ".bar-links summary", "document.querySelector('.bar-links details[open]')", "Company")
LANGUAGES = Click(
    "open the languages",
    ".bar-wide [data-language-menu]",
    "document.querySelector('.bar-wide a[data-language=th]').checkVisibility()",
)
ABOUT = Click(
    "go to another page",
    ".bar-links a",
    "location.pathname.endsWith('/about-us') && document.title.startsWith('About')",
    "About us",
)
THAI = Click("switch the language", ".bar-wide a[data-language=th]", "document.documentElement.lang == 'th'")
DAY = Click(
    "choose a day of a call",
    "td:not([aria-selected=true]) > .calendar-day",
    "document.querySelectorAll('.calendar tbody [aria-selected=true]').length == 1 && document.querySelector('.day .slot')",
)
TIME = Click("choose its time", ".day .slot", "document.querySelector('.booking-chosen p')")
GO_ON = Click("go on with that time", ".booking-bar .button", "document.querySelector('.hold-left')")
LONGER = Click("hold it longer", ".held-longer", "document.querySelector('.hold-left')")
ANOTHER = Click("choose another time", ".held-actions .button-text", "document.querySelector('.times-form')")


@dataclass(frozen=True)
class Visit:
    """A page in a fresh tab, its preparation, and the clicks performed in turn."""

    path: str
    preparation: str
    clicks: Sequence[Click]


VISITS = (
    Visit("/", AT_ONCE, (OPEN, CLOSE)),
    Visit("/", AT_ONCE, (MENU,)),
    Visit("/faq", AT_ONCE, (ANSWER,)),
    Visit("/", SCROLLED, (OPEN, CLOSE)),
    Visit("/", WITH_REACT, (OPEN, CLOSE, MENU, ABOUT)),
    Visit("/faq", WITH_REACT, (ANSWER, LANGUAGES, THAI)),
    Visit("/?open=consultation", WITH_REACT, (DAY, TIME, GO_ON, LONGER, ANOTHER)),
)
# By click and preparation: INP, and milliseconds until the result is visible.
Timings = dict[tuple[str, str], list[tuple[float, float]]]


def interaction(extent: Extent) -> Measured:
    """Performs every visit in turn; a failed tab is opened again."""
    if not (chrome := chromium_path()):
        raise NotRun("there is no Chromium on this machine")
    runs = extent.pick(3, full=9)
    clicks: Timings = defaultdict(list)
    answered: dict[str, list[float]] = defaultdict(list)
    lost: list[str] = []
    with site(extent.folder) as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chrome, args=["--no-sandbox"])
        for visit in VISITS * runs:
            _tried(lambda this_visit=visit: _visit(browser, running.url, this_visit, clicks, answered), visit, lost)
        version = browser.version
        browser.close()
    if not clicks or not answered:
        raise RuntimeError("no visit came to its end: see above")
    return _reported(clicks, answered, lost, runs, version)


def _tried(visit: Callable[[], None], description: Visit, lost: list[str]) -> None:
    for _ in range(_TRIES):
        try:
            return visit()
        except (Error, AssertionError) as error:
            print(f"    {description.path}, {description.preparation}: {str(error).splitlines()[0]}", flush=True)
    lost.append(f"{description.path}, {description.preparation}")
    return None


def _visit(browser: Browser, url: str, visit: Visit, results: Timings, answered: dict[str, list[float]]) -> None:
    with _slow_tab(browser) as page:
        page.goto(url + visit.path, wait_until="load")
        if visit.preparation == SCROLLED:
            until(page, LISTENING)  # a hand goes on scrolling; one turn of the wheel might come before the script
            page.mouse.move(9, 450)
            page.mouse.wheel(0, 300)
            page.wait_for_timeout(READS_MS)
        elif visit.preparation == WITH_REACT:
            page.locator("[command=show-modal]").first.dispatch_event("pointerdown")
            until(page, HYDRATED)
            page.wait_for_timeout(1500)  # the rest of the start: the whole style and the socket
        timings = [_timed_click(page, click) for click in visit.clicks]
        if visit.preparation != WITH_REACT and OPEN in visit.clicks:
            until(page, HYDRATED)
            answered[visit.preparation].append(page.evaluate("window.hydratedAt - window.__pressedAt"))
    for click, timing in zip(visit.clicks, timings, strict=True):
        results[click.title, visit.preparation].append(timing)


def _timed_click(page: Page, click: Click) -> tuple[float, float]:
    """Returns the click's INP, and the milliseconds until its result is painted."""
    page.evaluate("window.__interactions.length = 0")
    _click(page, click)
    until_painted = page.evaluate(_PAINTED.replace("CONDITION", click.condition))
    page.wait_for_timeout(400)  # event timings are reported a moment after their frame
    return max(page.evaluate("window.__interactions"), default=8.0), until_painted  # browsers report nothing below 16 ms


def _click(page: Page, click: Click) -> None:
    target = page.locator(click.selector).filter(has_text=click.text or None).first
    target.scroll_into_view_if_needed()
    if not (box := target.bounding_box()):
        raise Error(f"{click.selector} is not to be seen")
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(REST_MS)
    page.mouse.down()
    page.wait_for_timeout(PRESS_MS)
    page.mouse.up()


@contextmanager
def _slow_tab(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="no-preference")
    try:
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
    finally:
        context.close()


def _reported(results: Timings, answered: dict[str, list[float]], lost: Sequence[str], runs: int, version: str) -> Measured:
    measured = Measured({"slowdown": SLOWDOWN, "delay_ms": DELAY_MS}, versions={"browser": version})
    inp, rows = {}, []
    for (click, preparation), timings in results.items():
        delays = [delay for delay, _ in timings]
        usual = inp[f"{click}, {preparation}"] = percentile(delays, 0.75)
        painted = median([until for _, until in timings])
        rows.append(
            [f"{click}, {preparation}", f"{median(delays):.0f}", f"{usual:.0f}", f"{max(delays):.0f}", f"{painted:,.0f}"]
        )
    noise = max(half_range([delay for delay, _ in timings]) for timings in results.values())
    measured.bars = [
        Bar("visits that never came to their end", {"": len(lost)}, most=0),
        Bar("INP in ms, 75 %", inp, most=MAX_INP_MS, noise=noise),
    ]
    measured.figures["worst_inp_ms"] = max(inp.values())
    for name, preparation in (("first_ms", AT_ONCE), ("scrolled_ms", SCROLLED)):
        if timings := answered.get(preparation):
            measured.figures[name] = median(timings)
            rows.append([f"from the touch until React answers, {preparation}", "", "", "", f"{median(timings):,.0f}"])
            bar = Bar(
                f"ms from the touch until React answers, {preparation}",
                {"": median(timings)},
                most=MAX_FIRST_MS,
                noise=half_range(timings),
            )
            measured.bars.append(bar)
    note = (
        f"{runs} fresh tabs each, Chromium with {SLOWDOWN}× CPU slowdown, {DELAY_MS} ms of delay and {KILOBITS:.0f} kbit/s; the pointer "
        f"rests for {REST_MS} ms, and a press takes {PRESS_MS} ms, as a hand's does. INP is the browser's own event timing in steps of 8 ms, "
        "8 where it was too short to be reported. Held to the bar is the third quartile, as INP is in the field."
    )
    head = ("", "INP ms, median", "75 %", "worst", "ms until it is seen, median")
    measured.tables = [Table("Each interaction", head, rows, note)]
    return measured
