"""One tab of any engine, used like a visitor: find by visible text, press, type, wait."""

import io
import math
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from PIL import Image

from tests.browser.waiting import HYDRATED
from tests.trials.browsers.engines import Browser
from tests.trials.browsers.webdriver import ELEMENT, WebDriverError

PATIENCE_SECONDS = 20  # for a shared machine; true conditions are noticed at once
_STEP_SECONDS = 0.05
KEYS = {"Tab": "\ue004", "Escape": "\ue00c", "Enter": "\ue007", "Shift": "\ue008"}
# Visible elements of this selector whose name, label or text has these words; exact matches before prefixes.
_FIND = """
const [css, words] = arguments;
const flat = (text) => text.replace(/\\s+/g, ' ').trim();
const nameOf = (element) => flat(element.getAttribute('aria-label') ?? (element.labels?.length ? element.labels[0].innerText : element.innerText));
const visible = [...document.querySelectorAll(css)].filter((element) => element.checkVisibility({ visibilityProperty: true }));
if (!words) return visible[0] ?? null;
return visible.find((element) => nameOf(element) === words) ?? visible.find((element) => nameOf(element).startsWith(words)) ?? null;
"""
_SHOW = "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })"
_MIDDLE = """
const [element] = arguments;
const { left, top, width, height } = element.getClientRects()[0];
return [Math.round(left + width / 2), Math.round(top + height / 2)];
"""
_WATCH = """
window.__complaints = [];
addEventListener('error', (event) => window.__complaints.push(`${event.message}`));
addEventListener('unhandledrejection', (event) => window.__complaints.push(`${event.reason}`));
addEventListener('securitypolicyviolation', (event) => window.__complaints.push(`${event.effectiveDirective} ${event.blockedURI}`));
"""

# Imitates a press on a button that opens a dialog, which starts React.
_START_REACT = (
    "document.querySelector('[command=show-modal]').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))"
)


class Tab:
    def __init__(self, browser: Browser, address: str, *, javascript: bool = True) -> None:
        self._browser, self._session = browser, browser.session
        self.address, self._javascript = address, javascript

    def resize(self, width: int, height: int) -> None:
        """Gives the page itself this size; a window may have borders and toolbars."""
        edges = [0, 0]
        for _ in range(3):
            self._session.call("POST window/rect", {"width": width + edges[0], "height": height + edges[1]})
            time.sleep(_STEP_SECONDS)
            edges = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
        self.until("return innerWidth", width)

    def open(self, path: str) -> None:
        """Goes there, and where there are scripts, means to do something and waits until React has taken over, if the page has it.

        An address that opens a dialog starts React by itself, perhaps before anything can be watched: what is in the dialog comes with it.
        """
        self._session.call("POST url", {"url": self.address + path})
        if not self._javascript or not self.run("return !!document.querySelector('script[data-boot]')"):
            return
        self.run(_WATCH)
        if "open=" in path:
            return
        self.run(_START_REACT)
        self.until(f"return {HYDRATED}")  # a page that shows state may have started React already

    def forget(self) -> None:
        """Becomes a new visitor."""
        self._session.call("POST url", {"url": f"{self.address}/healthz"})
        self.run("localStorage.clear(); sessionStorage.clear()")
        self._session.call("DELETE cookie")

    def run(self, script: str, *arguments: Any) -> Any:
        return self._session.call("POST execute/sync", {"script": script, "args": list(arguments)})

    def until(self, script: str, expected: object = True, *arguments: Any, within_seconds: float = PATIENCE_SECONDS) -> None:
        """Waits until the script returns this value, also across navigations."""
        deadline = time.monotonic() + within_seconds
        result: object = None
        while time.monotonic() < deadline:
            try:
                if (result := self.run(script, *arguments)) == expected:
                    return
            except WebDriverError as error:
                result = str(error)
            time.sleep(_STEP_SECONDS)
        raise AssertionError(f"{script} {list(arguments) or ''} is {result!r}, not {expected!r}")

    def find(self, css: str, words: str = "") -> str:
        """Returns the element, as soon as it is visible."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                if element := self.run(_FIND, css, words):
                    return element[ELEMENT]
            except WebDriverError:
                pass  # the page is being replaced
            time.sleep(_STEP_SECONDS)
        visible = self.run(
            "return [...document.querySelectorAll('[role=alert], .field-error')].map((element) => element.innerText).join(' ')"
        )
        raise AssertionError(f"there is no {css} {words!r} at {self.path} {visible!r}")

    def sees(self, css: str, words: str = "") -> bool:
        return bool(self.run(_FIND, css, words))

    def misses(self, css: str, words: str = "") -> None:
        """Waits until it is no longer visible."""
        self.until(f"return !(function () {{{_FIND}}})(...arguments)", True, css, words)

    def click(self, css: str, words: str = "") -> None:
        """By the mouse itself, in the middle of the element: the protocol's own click scrolls a dialog back and forth in WebKit.

        Firefox scrolls back to the caret a moment after somebody has typed, so the element is shown until it stays where it is; in
        WebKit it may go up and down by a pixel for ever.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                place = self._resting_place(css, words, deadline)
                break
            except WebDriverError:  # React has replaced the element meanwhile
                assert time.monotonic() < deadline, f"{css} {words!r} is drawn anew again and again"
        self.move(*place, press=True)

    def _resting_place(self, css: str, words: str, deadline: float) -> list[int]:
        """Returns the middle of the element once it no longer moves."""
        element, last_place = {ELEMENT: self.find(css, words)}, [-9, -9]
        while math.dist(last_place, place := self.run(_MIDDLE, element)) > 1:
            assert time.monotonic() < deadline, f"{css} {words!r} does not come to rest"
            last_place = place
            self.run(_SHOW, element)
            time.sleep(2 * _STEP_SECONDS)
        return place

    def text(self, css: str, words: str = "") -> str:
        return self.run("return arguments[0].innerText", {ELEMENT: self.find(css, words)})

    def fill(self, css: str, text: str) -> None:
        """Clicks into it and replaces its text; repeats a click made while the page was moving."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            self.click(css)
            try:
                self.until("return document.activeElement.matches(arguments[0])", True, css, within_seconds=2)
                break
            except AssertionError:
                if time.monotonic() > deadline:
                    raise
        self.run("document.activeElement.select()")
        self.press(*text)

    def press(self, *names: str) -> None:
        """Presses keys one after the other; "Shift+Tab" holds the first meanwhile."""
        actions: list[dict[str, Any]] = []
        for name in names:
            keys = [KEYS.get(part, part) for part in name.split("+")] if len(name) > 1 else [name]
            actions += [{"type": "keyDown", "value": key} for key in keys]
            actions += [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self._act({"type": "key", "id": "keys", "actions": actions})

    def move(self, x: int, y: int, *, press: bool = False) -> None:
        """Moves the mouse there, and presses its button if asked."""
        actions: list[dict[str, Any]] = [{"type": "pointerMove", "duration": 0, "x": x, "y": y}]
        if press:
            actions += [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions})

    def back(self) -> None:
        """Presses Back once an open dialog has its entry in the history, which takes less time than any visitor."""
        self.until("return (history.state?.dialog ?? '') === (document.querySelector('dialog[open]')?.dataset.name ?? '')")
        self._session.call("POST back")

    @property
    def path(self) -> str:
        return self.run("return location.pathname")

    @property
    def complaints(self) -> list[str]:
        return self.run("return window.__complaints ?? []")

    def printed(self) -> str:
        """Returns the text of the printed page."""
        with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
            Path(file.name).write_bytes(self._browser.pdf())
            process = subprocess.run(["pdftotext", "-raw", file.name, "-"], capture_output=True, text=True, check=True)
        return process.stdout

    def picture(self) -> Image.Image:
        """Takes a picture of the whole page, not only of the window."""
        return Image.open(io.BytesIO(self._browser.png())).convert("RGB")

    def _act(self, source: dict[str, Any]) -> None:
        self._session.call("POST actions", {"actions": [source]})
