"""AstroWind, a well-known site kit: built from its source and measured in the same rounds as the site.

BENCH_ASTROWIND names a checkout of its repository; without it the bench clones one, where the network allows.
"""

import mimetypes
import os
import shutil
import subprocess
from collections.abc import Awaitable, Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import brotli

from tests.trials.bench.floor import floors
from tests.trials.bench.stage import CACHE, bare_server, environment
from tests.trials.lab.scorecard import NotRun
from tests.trials.lab.servers import Server

REPOSITORY = "https://github.com/onwidget/astrowind"
# Its home page is compared. These other pages fetch their pictures from the internet while they are built.
_OTHER_PAGES = ("homes", "landing")
_COMPRESSED = frozenset((".html", ".css", ".js", ".svg"))
_FOLDER = "BENCH_PEER_FOLDER"
Message = MutableMapping[str, Any]


@contextmanager
def astrowind(folder: Path) -> Iterator[Server]:
    """Serves AstroWind's pages and the floor of its home page, compressed like the site's, by the site's server program."""
    pages = folder / "astrowind"
    shutil.copytree(_built(), pages)
    for path, content in floors(pages, ["/"]).items():
        (pages / path).parent.mkdir(parents=True, exist_ok=True)
        (pages / path).write_bytes(content)
    for file in [file for file in pages.rglob("*") if file.suffix in _COMPRESSED]:
        file.with_name(f"{file.name}.br").write_bytes(brotli.compress(file.read_bytes()))
    with bare_server(folder, "tests.trials.bench.peer:file_server", **{_FOLDER: str(pages)}) as running:
        yield running


def file_server() -> Callable[..., Awaitable[None]]:
    """Returns an application that answers with the files of a folder, all read before the first request."""
    folder = Path(os.environ[_FOLDER])
    files = {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}

    async def application(scope: Message, _receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Any]) -> None:
        if scope["type"] == "lifespan":
            return
        path = scope["path"].strip("/")
        name = path if path in files else f"{path}/index.html".lstrip("/")
        compressed = f"{name}.br" in files
        headers = [(b"content-type", (mimetypes.guess_type(name)[0] or "application/octet-stream").encode())]
        headers += [(b"content-encoding", b"br")] * compressed
        await send({"type": "http.response.start", "status": 200 if name in files else 404, "headers": headers})
        await send({"type": "http.response.body", "body": files.get(f"{name}.br" if compressed else name, b"")})

    return application


def _built() -> Path:
    """Returns its built pages; they are built once for each commit."""
    source = _source()
    commit = _run(["git", "rev-parse", "HEAD"], source).strip() if (source / ".git").exists() else "unknown"
    folder = CACHE / f"astrowind-{commit}"
    if not (folder / "dist/index.html").exists():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns(".git", "node_modules", "dist"))
        for name in _OTHER_PAGES:
            shutil.rmtree(folder / "src/pages" / name, ignore_errors=True)
        _run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], folder)
        _run(["npm", "run", "build"], folder)
    return folder / "dist"


def _source() -> Path:
    if folder_name := os.environ.get("BENCH_ASTROWIND"):
        return Path(folder_name)
    clone = CACHE / "astrowind"
    if not clone.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        _run(["git", "clone", "--quiet", "--depth", "1", REPOSITORY, str(clone)], CACHE)
    return clone


def _run(command: Sequence[str], folder: Path) -> str:
    process = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=900)
    if process.returncode:
        raise NotRun(f"AstroWind was not built: {' '.join(command)} said {process.stderr.strip()[-300:]}")
    return process.stdout
