"""The three engines: their packages, their start, and their special cases."""

import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import httpx

from tests.support.site_server import free_port
from tests.trials.browsers.webdriver import HttpSession, MarionetteSession, Session
from tests.trials.lab.packages import install, programs
from tests.trials.lab.scorecard import NotRun

_PRINTED = {"pdftotext": "poppler-utils"}
_BINDINGS = ["python3-gi", "python3-gi-cairo", "gir1.2-webkit2-4.1"]  # for WebKitGTK, run by Debian's own Python
_PYTHON = "/usr/bin/python3"
_T = TypeVar("_T")
_MOUSE = (
    "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"  # headless Chromium has no mouse
)
_FIREFOX = {  # any free port; a fine pointer that can hover; reduced motion
    "marionette.port": 0,
    "ui.primaryPointerCapabilities": 6,
    "ui.allPointerCapabilities": 6,
    "ui.prefersReducedMotion": 1,
}
_STARTS_WITHIN = 60  # seconds, for a shared machine


@dataclass(frozen=True)
class Browser:
    """A running browser: its session, and the two operations that differ between engines."""

    session: Session
    pdf: Callable[[], bytes]
    png: Callable[[], bytes]  # of the whole page, not only of the window


@dataclass(frozen=True)
class Choices:
    """Preferences that a visitor has set in their browser."""

    javascript: bool = True
    font_px: int = 16


@dataclass(frozen=True)
class Engine:
    name: str
    packages: Mapping[str, str]  # Debian's package of each program
    start: Callable[[Path, "Choices", list[subprocess.Popen[bytes]]], Browser]
    modules: bool = False  # also needs the bindings

    def missing(self) -> str:
        """Installs missing packages if allowed; returns a sentence if the engine is unavailable."""
        try:
            programs({**self.packages, **_PRINTED})
        except NotRun as reason:
            return str(reason)
        if self.modules and not _has_bindings():
            install(_BINDINGS)
            if not _has_bindings():
                return f"not installed here: {' '.join(_BINDINGS)}"
        return ""

    @contextmanager
    def running(self, choices: Choices) -> Iterator[Browser]:
        folder = Path(tempfile.mkdtemp(prefix=f"{self.name.lower()}-"))
        processes: list[subprocess.Popen[bytes]] = []
        try:
            yield self.start(folder, choices, processes)
        finally:
            for process in reversed(processes):  # a driver and the browser that it started
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)
                process.wait(timeout=20)
            shutil.rmtree(folder, ignore_errors=True)


def may_install() -> bool:
    """Returns True where Debian's packages may be installed; a missing engine is a failure there."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def _chromium(folder: Path, choices: Choices, processes: list[subprocess.Popen[bytes]]) -> Browser:
    port = free_port()
    processes.append(_started(["chromedriver", f"--port={port}"], folder))
    options = {
        "binary": shutil.which("chromium"),
        "args": ["--headless", "--no-sandbox", "--force-prefers-reduced-motion", f"--blink-settings={_MOUSE}"],
        "prefs": {
            "webkit.webprefs.default_font_size": choices.font_px,
            "profile.managed_default_content_settings.javascript": 1 if choices.javascript else 2,
        },
    }
    session = _patiently(lambda: HttpSession(port, {"goog:chromeOptions": options}))

    def png() -> bytes:
        command_body = {"cmd": "Page.captureScreenshot", "params": {"captureBeyondViewport": True}}
        return base64.b64decode(session.call("POST goog/cdp/execute", command_body)["data"])

    return Browser(session, lambda: base64.b64decode(session.call("POST print")), png)


def _firefox(folder: Path, choices: Choices, processes: list[subprocess.Popen[bytes]]) -> Browser:
    preferences = _FIREFOX | {"font.size.variable.x-western": choices.font_px}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items()]
    (folder / "user.js").write_text("\n".join(lines))
    options = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote"]
    command = ["firefox-esr", *options, "--profile", str(folder)]
    processes.append(_started(command, folder))
    session = _patiently(lambda: MarionetteSession(int((folder / "MarionetteActivePort").read_text())))
    # Only a window opened by a script may be as narrow as a phone, so scripts are switched off after that.
    script = {"script": "open('about:blank', '_blank', 'popup,width=1280,height=900')", "args": []}
    session.call("POST execute/sync", script)
    session.call("POST window", {"handle": session.call("GET window/handles")[-1]})
    if not choices.javascript:
        session.call("POST moz/context", {"value": "chrome"})
        script = {"script": "Services.prefs.setBoolPref('javascript.enabled', false)", "args": []}
        session.call("POST execute/sync", script)
        session.call("POST moz/context", {"value": "content"})

    def png() -> bytes:
        return base64.b64decode(session.call("GET screenshot", {"full": True}))

    return Browser(session, lambda: base64.b64decode(session.call("POST print", {"background": True})), png)


def _webkit(folder: Path, choices: Choices, processes: list[subprocess.Popen[bytes]]) -> Browser:
    display = _display(folder, processes)
    port = free_port()
    variables = {"DISPLAY": display, "GDK_BACKEND": "x11"}
    processes.append(_started(["WebKitWebDriver", f"--port={port}"], folder, variables))
    window = Path(__file__).with_name("webkit_window.py")
    options = {"binary": _PYTHON, "args": [str(window), str(folder), str(int(choices.javascript)), str(choices.font_px)]}
    session = _patiently(lambda: HttpSession(port, {"webkitgtk:browserOptions": options}))

    def file(name: str) -> bytes:
        (folder / f"{name}.wanted").touch()
        marker = folder / f"{name}.done"
        _patiently(marker.unlink)
        return (folder / name).read_bytes()

    return Browser(session, lambda: file("page.pdf"), lambda: file("page.png"))


CHROMIUM = Engine("Chromium", {"chromium": "chromium", "chromedriver": "chromium-driver"}, _chromium)
FIREFOX = Engine("Firefox", {"firefox-esr": "firefox-esr"}, _firefox)
WEBKIT = Engine("WebKit", {"WebKitWebDriver": "webkit2gtk-driver", "Xvfb": "xvfb"}, _webkit, modules=True)
ENGINES = (CHROMIUM, FIREFOX, WEBKIT)


def _has_bindings() -> bool:
    script = "import gi; gi.require_foreign('cairo'); gi.require_version('WebKit2', '4.1'); from gi.repository import WebKit2"
    return subprocess.run([_PYTHON, "-c", script], capture_output=True).returncode == 0


def _display(folder: Path, processes: list[subprocess.Popen[bytes]]) -> str:
    """Starts a virtual screen; the server chooses and prints its number."""
    write_end, read_end = os.pipe()
    command = ["Xvfb", "-displayfd", str(read_end), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    processes.append(_started(command, folder, keep=read_end))
    os.close(read_end)
    with os.fdopen(write_end) as stream:
        return f":{stream.readline().strip()}"


def _started(
    command: list[str], folder: Path, variables: Mapping[str, str] | None = None, *, keep: int | None = None
) -> subprocess.Popen[bytes]:
    """Sets a separate home, so that the user's own files are neither read nor changed."""
    environment = os.environ | {"HOME": str(folder)} | dict(variables or {})
    descriptors = () if keep is None else (keep,)
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        pass_fds=descriptors,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _patiently(attempt: Callable[[], _T]) -> _T:
    """Repeats until it succeeds: a driver may just have been started, or a file be half written."""
    deadline = time.monotonic() + _STARTS_WITHIN
    while True:
        try:
            return attempt()
        except (OSError, ValueError, httpx.TransportError) as error:
            if time.monotonic() > deadline:
                raise TimeoutError(f"nothing came within {_STARTS_WITHIN} s") from error
            time.sleep(0.1)
