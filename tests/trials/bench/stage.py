"""The measured servers: the site in production, floors beside it, and bare servers."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.browser.server import ROOT, Site, free_port
from tests.trials.bench.programs import environment
from tests.trials.lab.servers import Server
from tests.trials.lab.trial import MANY_VISITORS

CLIENT = ROOT / ".web/build/client"
# The pages as built for the public; they work on any port.
BUILT_FOR = {"SITE_URL": "http://localhost:3000", "SITE_PRODUCTION": "true", "SITE_ALLOW_SAMPLES": "true"}
_SETTINGS = MANY_VISITORS | {
    "SITE_LIMIT_EVENTS": "1000000",
    "SITE_LIMIT_SOCKETS": "100000",
    "SITE_LIMIT_ALL_SOCKETS": "100000",
    "SITE_LOG_LEVEL": "error",
}


def build_site() -> None:
    """Build the pages for the public, unless the build is current."""
    command = [sys.executable, "-m", "site_app", "build"]
    process = subprocess.run(command, cwd=ROOT, env=environment(**BUILT_FOR), capture_output=True, text=True)
    if process.returncode:
        raise RuntimeError(f"the build failed: {process.stderr[-2000:]}")


@contextmanager
def site(room: Path, *, root: Path = ROOT) -> Iterator[Site]:
    """Run the site itself, in production; its database is in `room`."""
    port = free_port()
    running = Site(port, room / f"var{port}", _SETTINGS)
    running.root = root
    try:
        yield running.start()
    finally:
        running.stop()


def staged_pages(room: Path, extra: Mapping[str, bytes]) -> Path:
    """Return a root for the same site with more files among its pages."""
    stage = room / "stage"
    (stage / ".web/build").mkdir(parents=True)
    for folder, excluded in ((ROOT, (".web", ".git", ".cache", "var")), (ROOT / ".web", ("build",))):
        for file in folder.iterdir():
            if file.name not in excluded:
                (stage / file.relative_to(ROOT)).symlink_to(file)
    client = stage / ".web/build/client"
    shutil.copytree(CLIENT, client)
    for path, content in extra.items():
        (client / path).parent.mkdir(parents=True, exist_ok=True)
        (client / path).write_bytes(content)
    return stage


def bare_server(room: Path, target: str, **settings: str) -> Server:
    """Run the site's server with one worker and another application."""
    port = free_port()
    options = ["--interface", "asgi", "--factory", "--no-access-log", "--log-level", "error", "--backpressure", "1024"]
    command = [sys.executable, "-m", "granian", *options, "--host", "127.0.0.1", "--port", str(port), target]
    return Server(f"granian{port}", command, room, port, cwd=ROOT, **settings)


def page_paths(client: Path = CLIENT) -> list[str]:
    """Return the clean address of every built page."""
    files = sorted(client.rglob("index.html"))
    return ["/" + file.parent.relative_to(client).as_posix().removeprefix(".") for file in files]
