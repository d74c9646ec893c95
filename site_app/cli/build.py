"""The command that builds the pages, and whether the pages on disk belong to these sources, by content and never by time
stamps.
"""

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from site_app.core.settings import Settings, as_text, settings, variable
from site_app.plugins.static_first import FINISHED, NOT_BUILT, NOTE

_LOG = Path(".cache/build.log")  # Reflex replaces .web where it is not whole
_LOCK = Path("reflex.lock")
_TOOLS = Path(sys.executable).parent
_PHASES = {  # the beginning of a line of Reflex or of our plugin, and what is done from then on
    "Compiling:": "Python is compiled to JavaScript",
    "Creating Production Build": "JavaScript is bundled, and every page written as HTML",
    FINISHED: "style, script and pictures are put in, every page checked, and what has changed compressed",
}


def build(anew: Annotated[bool, typer.Option("--anew", help="Even if nothing has changed.")] = False) -> None:
    """Build the pages, unless they are built from the same sources already."""
    if not anew and is_current(settings()):
        print("Pages are built already.")
        return
    print("Building the pages …", flush=True)
    BUILT_WITH.unlink(missing_ok=True)
    sources = fingerprint(settings())
    locked = {file: file.read_bytes() for file in _LOCK.glob("*")}
    if _export() or not Path(".web/build/client/index.html").is_file():
        for file, content in locked.items():  # Reflex writes its own first, and npm's only when all went well
            file.write_bytes(content)
        log = _LOG.read_text()
        if NOT_BUILT in log:
            sys.exit(log[log.rindex(NOT_BUILT) :].strip())
        print(log[-10_000:], file=sys.stderr)
        sys.exit(f"The pages could not be built: see above, or the whole of it in {_LOG}.")
    mark(sources, settings())


def _export() -> int:
    """Run Reflex's export with its output in the log, and say when each phase is done and how long it took."""
    begun = time.monotonic()
    command = [_TOOLS / "reflex", "export", "--no-zip", "--frontend-only"]
    _LOG.parent.mkdir(exist_ok=True)
    unbuffered = os.environ | {"PYTHONUNBUFFERED": "1"}
    with (
        _LOG.open("w") as log,
        subprocess.Popen(command, env=unbuffered, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as export,
    ):
        for line in export.stdout or ():
            print(line, end="", file=log, flush=True)
            if line.startswith(NOTE):
                print(f"        {line.removeprefix(NOTE)}", end="", flush=True)
            for begins, message in _PHASES.items():
                if line.startswith(begins):
                    print(f"  {time.monotonic() - begun:3.0f} s  {message}", flush=True)
    return export.returncode


SOURCES = ("site_app", "components", "locales", "assets", "rxconfig.py", "requirements-build.txt", "reflex.lock")
BUILT_WITH = Path(".web/build/built-with.json")  # beside the pages, so that it goes where they go
# the settings whose values stand in the built files: addresses, who the agency is, and what forms and policies promise
BAKED_IN = (
    *("url", "hosts", "production", "allow_samples", "api_key", "booking_zone", "booking_hold"),
    *("keep_leads", "keep_quarantine", "keep_page_views", "keep_unclaimed_files"),
)


def fingerprint(settings: Settings) -> str:
    """One digest of every source file's name and bytes and of the settings that the build bakes in."""
    digest = hashlib.sha256()
    for file in _files(SOURCES):
        digest.update(file.as_posix().encode() + b"\0" + hashlib.sha256(_content(file)).digest())
    digest.update(repr(sorted(_baked_in(settings).items())).encode())
    return digest.hexdigest()


def is_current(settings: Settings) -> bool:
    return _built_with(Path()).get("sources") == fingerprint(settings)


def mark(sources: str, settings: Settings) -> None:
    """Note the settings and the fingerprint of the build; the latter is taken before it, since a file may change meanwhile."""
    BUILT_WITH.write_text(json.dumps({"sources": sources} | _baked_in(settings)))


def changed_since(settings: Settings, *, root: Path = Path()) -> dict[str, str]:
    """The variables that had another value when the pages were built, each with that value."""
    now = _baked_in(settings)
    return {name: value for name, value in _built_with(root).items() if name in now and now[name] != value}


def _built_with(root: Path) -> Mapping[str, str]:
    file = root / BUILT_WITH
    return json.loads(file.read_text()) if file.is_file() else {}


def _baked_in(settings: Settings) -> dict[str, str]:
    names = [name for name in vars(settings) if name in BAKED_IN or name.startswith("brand_")]
    values = {variable("country_lookup_url"): "set" if settings.country_lookup_url else ""}  # the address may hold a key
    return {variable(name): as_text(getattr(settings, name)) for name in names} | values


def _content(file: Path) -> bytes:
    """The file's bytes; npm's lock with its keys sorted, because Reflex changes their order at every build."""
    if file.parts[0] != "reflex.lock":
        return file.read_bytes()
    return json.dumps(json.loads(file.read_bytes()), sort_keys=True).encode()


def _files(roots: Iterable[str]) -> Iterable[Path]:
    for root in map(Path, roots):
        if root.is_file():
            yield root
        else:
            yield from sorted(file for file in root.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
