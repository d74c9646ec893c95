"""python -m site_app build: the pages, by Reflex and our plugin."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from site_app.cli.fingerprint import BUILT_WITH, fingerprint, is_current, mark
from site_app.core.settings import settings
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
            for begins, done in _PHASES.items():
                if line.startswith(begins):
                    print(f"  {time.monotonic() - begun:3.0f} s  {done}", flush=True)
    return export.returncode
