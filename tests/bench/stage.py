"""What is measured, on its feet: the site as it is built for the public, with floors beside it, and bare servers."""

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from starlette.types import ASGIApp, Receive, Scope, Send

from site_app.serving.files import load_files
from site_app.serving.headers import text
from tests.bench.programs import environment
from tests.bench.record import ROOT
from tests.browser.server import free_port

CLIENT = ROOT / ".web/build/client"
FREE = "100000000/minute"
Variables = Mapping[str, str]
NONE: Variables = {}
# The pages as the public gets them; they are served on any port.
BUILT_FOR = {"SITE_URL": "http://localhost:3000", "SITE_PRODUCTION": "true", "SITE_ALLOW_SAMPLES": "true"}
# One address stands for many visitors.
MANY = {
    "SITE_HOSTS": "127.0.0.1",
    "SITE_MINIMUM_FILLING_TIME": "0s",
    "SITE_LIMIT_SUBMISSIONS": FREE,
    "SITE_LIMIT_READS": FREE,
    "SITE_LIMIT_HOLDS": FREE,
    "SITE_LIMIT_EVENTS": "1000000",
    "SITE_LIMIT_SOCKETS": "100000",
    "SITE_LIMIT_ARRIVALS": "100000",
    "SITE_LIMIT_ALL_SOCKETS": "100000",
    "SITE_LOG_LEVEL": "error",
}


class Process:
    """A server on a port of its own, alone in its process group; used in a `with`, it is gone afterwards."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        port: int,
        log: Path,
        cwd: Path = ROOT,
        patience: float = 60,
        variables: Variables = NONE,
    ) -> None:
        self.port, self.url = port, f"http://localhost:{port}"
        self._command, self._cwd, self._log, self._patience, self._variables = command, cwd, log, patience, variables

    def __enter__(self) -> Self:
        began = time.perf_counter()
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=self._cwd, env=environment(**self._variables), stdout=log, stderr=log, start_new_session=True
            )
        self._wait()
        self.start_seconds = time.perf_counter() - began
        return self

    def __exit__(self, *_error: object) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGTERM)
            try:
                self._process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait(timeout=10)

    @property
    def pid(self) -> int:
        return self._process.pid

    def _wait(self) -> None:
        until = time.monotonic() + self._patience
        while time.monotonic() < until:
            if self._process.poll() is not None:
                break
            try:
                urllib.request.urlopen(self.url, timeout=2).close()
                return
            except urllib.error.HTTPError:
                return
            except (urllib.error.URLError, OSError):
                time.sleep(0.01)
        raise RuntimeError(f"{self._command[:4]} does not answer: {self._log.read_text(errors='replace')[-2000:]}")


def build_site() -> None:
    """Build the pages as the public gets them, unless they are built from these sources already."""
    command = [sys.executable, "-m", "site_app", "build"]
    done = subprocess.run(command, cwd=ROOT, env=environment(**BUILT_FOR), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"the build failed: {done.stderr[-2000:]}")


def site(room: Path, **settings: str) -> Process:
    """The site itself, in production; `room` gets its database."""
    return _site(ROOT, room, settings)


def staged_site(room: Path, extra: Mapping[str, bytes]) -> Process:
    """The same site with more files among its pages: whatever server is measured, it serves these too."""
    stage = room / "stage"
    (stage / ".web/build").mkdir(parents=True)
    for file in ROOT.iterdir():
        if file.name not in (".web", ".git", ".cache", "var"):
            (stage / file.name).symlink_to(file)
    for file in (ROOT / ".web").iterdir():
        if file.name != "build":
            (stage / ".web" / file.name).symlink_to(file)
    client = stage / ".web/build/client"
    shutil.copytree(CLIENT, client)
    for path, content in extra.items():
        (client / path).parent.mkdir(parents=True, exist_ok=True)
        (client / path).write_bytes(content)
    return _site(stage, room, {})


def served_folder(folder: Path, room: Path) -> Process:
    """A folder of another site, served by our file layer without our policy, which forbids what that site's pages inline."""
    port = free_port()
    target = "tests.bench.stage:folder_server"
    return Process(granian(target, port), port=port, log=room / "folder.log", variables={"BENCH_FOLDER": str(folder)})


def folder_server() -> ASGIApp:
    """The application that does it."""
    files = load_files(Path(os.environ["BENCH_FOLDER"]), (), lambda _html: (b"x-content-type-options", b"nosniff"))

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        file = files.get(scope["path"]) or files.get(scope["path"].rstrip("/"))
        await (file or text(404, "Not found\n"))(scope, receive, send)

    return serve


def granian(target: str, port: int) -> list[str]:
    """The server under the site, with one worker and another application on it."""
    own = ["--interface", "asgi", "--factory", "--no-access-log", "--log-level", "error", "--backpressure", "1024"]
    return [sys.executable, "-m", "granian", *own, "--host", "127.0.0.1", "--port", str(port), target]


def _site(cwd: Path, room: Path, settings: Mapping[str, str]) -> Process:
    port = free_port()
    var = room / f"var{port}"
    var.mkdir(parents=True)
    own = {
        **MANY,
        **BUILT_FOR,
        "SITE_URL": f"http://localhost:{port}",
        "SITE_PORT": str(port),
        "SITE_VAR": str(var),
    }
    own |= settings
    return Process([sys.executable, "-m", "site_app", "serve"], port=port, cwd=cwd, log=room / f"site{port}.log", variables=own)


def page_paths(client: Path = CLIENT) -> list[str]:
    """The clean address of every page that is built."""
    files = sorted(client.rglob("index.html"))
    return ["/" + file.parent.relative_to(client).as_posix().removeprefix(".") for file in files]
