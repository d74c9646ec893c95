"""The built files, compressed beside themselves, for servers that pass them on as they are."""

from pathlib import Path

from site_app.static_first.browser_files import COMPILED
from site_app.static_first.node import run

_KEPT = COMPILED / "compressed"  # from build to build: brotli's best takes seconds


def compress(static: Path, kept: Path = _KEPT) -> None:
    """Write a .br and a .gz beside each text file; what has not changed since the last build is not compressed again."""
    run("compress.mjs", folder=str(static.resolve()), kept=str(kept.resolve()))
