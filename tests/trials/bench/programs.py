"""The programs that measure, and those measured for comparison."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.browser import server
from tests.browser.server import ROOT
from tests.trials.lab.scorecard import NotRun

CACHE = ROOT / ".cache/bench"
LIGHTHOUSE = Path(__file__).with_name("lighthouse")


def environment(**settings: str) -> dict[str, str]:
    """Return the machine's environment with these settings alone; node comes from .venv."""
    variables = server.environment(settings)
    return variables | {"PATH": f"{ROOT / '.venv/bin'}{os.pathsep}{variables['PATH']}"}


def version_of(command: Sequence[str], pattern: str) -> str:
    """Return the version that a program reports."""
    process = subprocess.run(command, capture_output=True, text=True, env=environment())
    match = re.search(pattern, process.stdout + process.stderr)
    return match[1] if match else "unknown"


def lighthouse() -> Path:
    """Return the folder whose node_modules holds Lighthouse, as pinned by the lock file."""
    room = CACHE / "lighthouse"
    lock = LIGHTHOUSE / "package-lock.json"
    if not (room / "installed.json").exists() or (room / "installed.json").read_bytes() != lock.read_bytes():
        room.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(LIGHTHOUSE / name, room)
        command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        process = subprocess.run(command, cwd=room, env=environment(), capture_output=True, text=True, timeout=600)
        if process.returncode:
            raise NotRun(f"Lighthouse cannot be had: npm said {process.stderr.strip()[-300:]}")
        shutil.copy(lock, room / "installed.json")
    return room
