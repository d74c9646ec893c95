"""The command that builds the pages. Compares contents, not timestamps, to decide if the built pages are up to date."""

import compileall
import os
import re
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from site_app.core.published_pages import (
    BUILT,
    CLIENT,
    MANIFEST_FILE,
    SourceDigests,
    baked_in,
    code_digest,
    pages_to_serve,
    pointer_file,
    published_folder,
    read_digests,
    read_manifest,
    source_digests,
    write_manifest,
)
from site_app.core.settings import Settings, settings
from site_app.plugins.static_first import FINISHED, NOT_BUILT, NOTE

_LOG = Path(".cache/build.log")  # outside .web, which Reflex replaces if it is incomplete
_LOCK = Path("reflex.lock")
_TOOLS = Path(sys.executable).parent
_SETVAR_ERROR = re.compile(r"AttributeError: Variable `(\w+)` cannot be set on")  # what Reflex says of State.setvar
_PHASES = {  # messages by the beginning of a line of output from Reflex or our plugin
    "Compiling:": "Python is compiled to JavaScript",
    "Creating Production Build": "JavaScript is bundled, and every page written as HTML",
    FINISHED: "style, script and pictures are put in, every page checked, and what has changed compressed",
}


def build(anew: Annotated[bool, typer.Option("--anew", help="Build even if nothing has changed.")] = False) -> None:
    """Build the pages, unless they were already built from the same sources."""
    if not anew and is_current(settings()):
        print("Pages are built already.")
        return
    import_module("site_app.content.routes")  # reads the texts, so that a broken one is reported here in a sentence
    print("Building the pages …", flush=True)
    (BUILT / MANIFEST_FILE).unlink(missing_ok=True)
    made_from = source_digests(settings())
    locked = {file: file.read_bytes() for file in _LOCK.glob("*")}
    if _export() or not (BUILT / CLIENT / "index.html").is_file():
        for file, content in locked.items():  # Reflex writes its own lock file before the build, and npm's only after success
            file.write_bytes(content)
        log = _LOG.read_text()
        if NOT_BUILT in log:
            sys.exit(log[log.rindex(NOT_BUILT) :].strip())
        if setvar := _SETVAR_ERROR.search(log):
            sys.exit(f"{NOT_BUILT}\n{_setvar_advice(setvar[1])}")
        print(log[-10_000:], file=sys.stderr)
        sys.exit(f"The pages could not be built: see above; the whole output is in {_LOG}.")
    mark(made_from, settings())
    _compile_code()
    # These pages are made of SITE_CONTENT, so they contain the texts that were published before.
    pointer_file(settings().var).unlink(missing_ok=True)


def _setvar_advice(name: str) -> str:
    return (
        f"A page binds setvar for the var {name}, by which a browser could set every var of that state. "
        f"Write an event instead: @rx.event, def set_{name}(self, value: str): self.{name} = value. The whole output is in {_LOG}."
    )


def _compile_code() -> None:
    """Compiles the site's Python, because a service may not write into the checkout: its workers would do it at each start, for half a second."""
    for package in ("site_app", "components"):
        compileall.compile_dir(package, quiet=2)


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


def is_current(settings: Settings) -> bool:
    """Returns True if the pages here are built from this code, and they or the pages published last contain the current texts."""
    made_now = source_digests(settings)
    built = read_digests(BUILT)
    latest = published_folder(settings.var)
    latest_sources = read_digests(latest) if latest else built
    return built.code == made_now.code and made_now in (built, latest_sources)


def mark(made_from: SourceDigests, settings: Settings) -> None:
    """Stores settings and digests of the build. The digests must be taken before the build, because files may change during it."""
    write_manifest(BUILT, made_from, baked_in(settings))


def changed_since(settings: Settings, *, root: Path = Path()) -> dict[str, str]:
    """Returns the variables whose value has changed since the pages that are served were built, with their old values."""
    current_values = baked_in(settings)
    folder = pages_to_serve(settings.var, code_digest(settings, root), root / BUILT)
    return {
        name: value for name, value in read_manifest(folder).items() if name in current_values and current_values[name] != value
    }


if __name__ == "__main__":
    build()
