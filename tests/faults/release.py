"""The next release of the site: its sources with one state class changed, built in a place of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.browser.server import ROOT, environment

_SOURCES = ("site_app", "components", "locales", "assets", "alembic", "reflex.lock")
_FILES = ("rxconfig.py", "pyproject.toml", "requirements-build.txt")
_CHANGED = "site_app/states/faq.py"
_BEFORE = "    @rx.event\n    def toggle("
_FIELD = "    released: rx.Field[int] = rx.field(2)\n\n"


def next_release(room: Path) -> Path:
    """Copy what is there, change FaqState, and build; takes as long as a build does."""
    for name in _SOURCES:
        shutil.copytree(ROOT / name, room / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in _FILES:
        shutil.copy2(ROOT / name, room / name)
    # what npm has installed is linked file by file: whatever the build replaces there stays as it is here
    shutil.copytree(ROOT / ".web", room / ".web", copy_function=_link, symlinks=True, ignore=_old_pages)
    state = room / _CHANGED
    assert _BEFORE in state.read_text(), f"{_CHANGED} looks different by now"
    state.write_text(state.read_text().replace(_BEFORE, _FIELD + _BEFORE, 1))
    command = [sys.executable, "-m", "site_app", "build"]
    settings = environment({"SITE_URL": "http://localhost:3000"})
    done = subprocess.run(command, cwd=room, env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return room


def _old_pages(folder: str, _names: list[str]) -> set[str]:
    return {"build"} if Path(folder) == ROOT / ".web" else set()


def _link(source: str, target: str) -> None:
    if "node_modules" not in Path(source).parts:
        shutil.copy2(source, target)
        return
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)
