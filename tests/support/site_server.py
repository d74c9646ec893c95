"""One production build, and its servers on free ports."""

import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from site_app.cli.build import is_current
from site_app.core.settings import load

ROOT = Path(__file__).parents[2]
# Settings for test sessions: no minimum filling time, high limits, and bookings at any hour.
PATIENT = {
    "SITE_MINIMUM_FILLING_TIME": "0s",
    "SITE_LIMIT_SUBMISSIONS": "1000/minute",
    "SITE_LIMIT_HOLDS": "1000/minute",
    "SITE_LIMIT_OPEN_HOLDS": "1000",
    "SITE_LIMIT_CALLS": "1000",
    "SITE_STARTUP_DELAY": "100ms",
    "SITE_BOOKING_HOURS": "00:00-23:30",
    "SITE_BOOKING_BUFFER": "0s",
    "SITE_BOOKING_HOLIDAYS": "",
}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Site:
    """The site in its own process and directory; its output is shown when it dies."""

    def __init__(self, port: int, var: Path, settings: Mapping[str, str] | None = None) -> None:
        self.port, self.var, self.url = port, var, f"http://localhost:{port}"
        self.root = ROOT  # the folder of its sources and pages; another release has another one
        self._settings = dict(settings or {})
        self._log = var / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None, "the site is not running"
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> "Site":
        self.var.mkdir(parents=True, exist_ok=True)
        own_settings = {"SITE_URL": self.url, "SITE_PORT": str(self.port), "SITE_VAR": str(self.var)}
        command = [sys.executable, "-m", "site_app", "serve"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=self.root,
                env=environment(own_settings | self._settings),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait_until_it_answers()
        return self

    def stop(self) -> None:
        if self._process and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(timeout=20)

    def kill(self) -> None:
        """Kills granian and its workers."""
        if self._process and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(timeout=10)

    def output(self) -> str:
        return self._log.read_text(errors="replace")[-6000:] if self._log.exists() else ""

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            assert self._process is not None
            if self._process.poll() is not None:
                raise RuntimeError(f"the site ended with {self._process.returncode} at its start:\n{self.output()}")
            try:
                urllib.request.urlopen(f"{self.url}/healthz", timeout=2).close()
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.05)
        raise TimeoutError(f"the site did not answer within 60 s:\n{self.output()}")


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Returns the machine's environment without inherited SITE_* settings and .env, and with these settings."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("SITE_")}
    return {**inherited, "SITE_ENV_FILE": "", **settings}


def build(url: str) -> None:
    """Builds the pages for this address, unless the build is current.

    Other processes of the test run wait: two builds at once would spoil each other, and a server would find no pages.
    """
    settings = {"SITE_URL": url, "SITE_VAR": "var/tests"}  # elsewhere something may have been published
    with (ROOT / "Makefile").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if is_current(load(settings)):
            return
        command = [sys.executable, "-m", "site_app", "build"]
        process = subprocess.run(command, cwd=ROOT, env=environment(settings), capture_output=True, text=True)
    if process.returncode:
        raise RuntimeError(f"the build failed:\n{process.stdout[-3000:]}\n{process.stderr[-6000:]}")
