"""The programs that measure and are measured beside us: what the machine has, else fetched into .cache/bench by its own means."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.bench.part import NotRun
from tests.bench.record import ROOT

CACHE = ROOT / ".cache/bench"
LIGHTHOUSE = Path(__file__).with_name("lighthouse")
_UNPACKED = CACHE / "debian"
_DEBIAN = {"nginx": ("nginx",), "wrk": ("wrk", "libluajit-5.1-2", "libluajit-5.1-common")}


def environment(**more: str) -> dict[str, str]:
    """The machine's environment without SITE_* settings; node comes from .venv, libraries from what was unpacked."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("SITE_")}
    libraries = [str(path) for path in _UNPACKED.glob("usr/lib/*-linux-gnu")]
    return {
        **inherited,
        "PATH": f"{ROOT / '.venv/bin'}{os.pathsep}{inherited['PATH']}",
        "LD_LIBRARY_PATH": os.pathsep.join([*libraries, inherited.get("LD_LIBRARY_PATH", "")]).strip(os.pathsep),
        **more,
    }


def program(name: str) -> str:
    """The path of nginx or wrk; a Debian package is unpacked, never installed: no service of the system is started."""
    found = shutil.which(name) or _unpacked(name)
    if not found and shutil.which("apt-get"):
        _unpack(_DEBIAN[name])
        found = _unpacked(name)
    if not found:
        raise NotRun(f"{name} is not on this machine, and its Debian package cannot be had")
    return found


def said(command: Sequence[str], pattern: str) -> str:
    """The version a program gives itself."""
    done = subprocess.run(command, capture_output=True, text=True, env=environment())
    found = re.search(pattern, done.stdout + done.stderr)
    return found[1] if found else "unknown"


def lighthouse() -> Path:
    """The folder whose node_modules holds Lighthouse as the lock file pins it."""
    room = CACHE / "lighthouse"
    lock = LIGHTHOUSE / "package-lock.json"
    if not (room / "installed.json").exists() or (room / "installed.json").read_bytes() != lock.read_bytes():
        room.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(LIGHTHOUSE / name, room)
        command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        done = subprocess.run(command, cwd=room, env=environment(), capture_output=True, text=True, timeout=600)
        if done.returncode:
            raise NotRun(f"Lighthouse cannot be had: npm said {done.stderr.strip()[-300:]}")
        shutil.copy(lock, room / "installed.json")
    return room


def _unpacked(name: str) -> str:
    return next((str(path) for folder in ("usr/sbin", "usr/bin") if (path := _UNPACKED / folder / name).exists()), "")


def _unpack(packages: Sequence[str]) -> None:
    room = CACHE / "packages"
    room.mkdir(parents=True, exist_ok=True)
    subprocess.run(["apt-get", "download", *packages], cwd=room, capture_output=True, timeout=300)
    for package in packages:
        for file in room.glob(f"{package}_*.deb"):
            subprocess.run(["dpkg", "-x", file, _UNPACKED], capture_output=True, check=True)
