"""The command that builds the pages. Compares contents, not timestamps, to decide if the built pages are up to date."""

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

_LOG = Path(".cache/build.log")  # outside .web, which Reflex replaces if it is incomplete
_LOCK = Path("reflex.lock")
_TOOLS = Path(sys.executable).parent
_PHASES = {  # messages by the beginning of a line of output from Reflex or our plugin
    "Compiling:": "Python is compiled to JavaScript",
    "Creating Production Build": "JavaScript is bundled, and every page written as HTML",
    FINISHED: "style, script and pictures are put in, every page checked, and what has changed compressed",
}


def build(anew: Annotated[bool, typer.Option("--anew", help="Even if nothing has changed.")] = False) -> None:
    """Build the pages, unless they were already built from the same sources."""
    if not anew and is_current(settings()):
        print("Pages are built already.")
        return
    print("Building the pages …", flush=True)
    BUILT_WITH.unlink(missing_ok=True)
    sources = fingerprint(settings())
    locked = {file: file.read_bytes() for file in _LOCK.glob("*")}
    if _export() or not Path(".web/build/client/index.html").is_file():
        for file, content in locked.items():  # Reflex writes its own lock file before the build, and npm's only after success
            file.write_bytes(content)
        log = _LOG.read_text()
        if NOT_BUILT in log:
            sys.exit(log[log.rindex(NOT_BUILT) :].strip())
        print(log[-10_000:], file=sys.stderr)
        sys.exit(f"The pages could not be built: see above, or the whole of it in {_LOG}.")
    mark(sources, settings())


def _export() -> int:
    """Runs Reflex's export with its output in the log, and prints the phases with the time since the start."""
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
BUILT_WITH = Path(".web/build/built-with.json")  # beside the pages, so that it is copied with them
# settings whose values are written into the built files: addresses, the agency's data, and promises of forms and policies
BAKED_IN = (
    *("url", "backend_url", "hosts", "production", "allow_samples", "api_key"),
    *("booking_zone", "booking_hours", "booking_length", "booking_hold", "booking_reminders"),
    *("keep_leads", "keep_quarantine", "keep_page_views", "keep_unclaimed_files"),
)


def fingerprint(settings: Settings) -> str:
    """Returns a digest of the names and contents of all source files, and of the settings baked into the build."""
    digest = hashlib.sha256()
    for file in _files(SOURCES):
        digest.update(file.as_posix().encode() + b"\0" + hashlib.sha256(_content(file)).digest())
    digest.update(repr(sorted(_baked_in(settings).items())).encode())
    return digest.hexdigest()


def is_current(settings: Settings) -> bool:
    return _built_with(Path()).get("sources") == fingerprint(settings)


def mark(sources: str, settings: Settings) -> None:
    """Stores settings and fingerprint of the build. The fingerprint must be taken before the build, because files may change during it."""
    BUILT_WITH.write_text(json.dumps({"sources": sources} | _baked_in(settings)))


def changed_since(settings: Settings, *, root: Path = Path()) -> dict[str, str]:
    """Returns the variables whose value has changed since the pages were built, with their old values."""
    now = _baked_in(settings)
    return {name: value for name, value in _built_with(root).items() if name in now and now[name] != value}


def _built_with(root: Path) -> Mapping[str, str]:
    file = root / BUILT_WITH
    return json.loads(file.read_text()) if file.is_file() else {}


def _baked_in(settings: Settings) -> dict[str, str]:
    names = [name for name in vars(settings) if name in BAKED_IN or name.startswith("brand_")]
    # Addresses may hold a key. The privacy policy says which services are told, not where they are.
    values = {
        variable("provider_url"): "set" if settings.provider_url else "",
        variable("country_lookup_url"): "set" if settings.country_lookup_url else "",
        variable("notify"): ",".join(sorted({target.service for target in settings.targets})),
        variable("notify_names"): as_text(settings.notify_names),
    }
    return {variable(name): as_text(getattr(settings, name)) for name in names} | values


def _content(file: Path) -> bytes:
    """Returns the file's bytes. The keys of npm's lock file are sorted, because Reflex changes their order at every build."""
    if file.parts[0] != "reflex.lock":
        return file.read_bytes()
    return json.dumps(json.loads(file.read_bytes()), sort_keys=True).encode()


def _files(roots: Iterable[str]) -> Iterable[Path]:
    for root in map(Path, roots):
        if root.is_file():
            yield root
        else:
            yield from sorted(file for file in root.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
