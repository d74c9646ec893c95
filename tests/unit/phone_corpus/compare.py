"""Runs the corpus through browser and server. `python -m tests.unit.phone_corpus.compare` rewrites the list of differences."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from components.phone_input import COUNTRY_NAMES, LIBPHONENUMBER
from site_app.contracts.phones import parse_phone
from tests.unit.phone_corpus.numbers import Case, cases

ROOT = Path(__file__).parents[3]
DIFFERENCES = Path(__file__).with_name("differences.txt")
_CACHE = ROOT / ".cache" / "phone_corpus"
_TOOLS = os.environ | {"PATH": f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"}


def engine(calls: Iterable[Sequence[object]]) -> list[Any]:
    """Returns the results of calls to the component's modules, run by node; see engine.mjs."""
    folder = _with_library() / "phone_engine"
    folder.mkdir(exist_ok=True)
    (folder / "package.json").write_text('{"type": "module"}')
    for file in (*(ROOT / "components/phone_input").glob("*.js*"), Path(__file__).with_name("engine.mjs")):
        shutil.copy(file, folder)
    lines = "\n".join(json.dumps(call) for call in calls)
    process = subprocess.run(
        ["node", str(folder / "engine.mjs")], input=lines, capture_output=True, text=True, check=True, env=_TOOLS
    )
    return [json.loads(line) for line in process.stdout.splitlines()]


def differences(corpus: list[Case]) -> list[str]:
    """Returns one line for each number that browser and server read differently, or that only one of them accepts."""
    mismatches = []
    for (text, region), browser in zip(corpus, engine(["parse", *case] for case in corpus), strict=True):
        read = parse_phone(text, region)
        server = [read.e164, read.extension, read.country] if read else None
        if browser != server:
            mismatches.append(f"{text!r} {region}: {browser} / {server}")
    return mismatches


def _with_library() -> Path:
    """Returns a directory with the library in node_modules: from the site's last build, or a cached installation."""
    name, _, version = LIBPHONENUMBER.partition("@")
    for home in (ROOT / ".web", _CACHE):
        manifest = home / "node_modules" / name / "package.json"
        if manifest.exists() and json.loads(manifest.read_text())["version"] == version:
            return home
    _CACHE.mkdir(parents=True, exist_ok=True)
    (_CACHE / "package.json").write_text("{}")
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", LIBPHONENUMBER, COUNTRY_NAMES]
    subprocess.run(command, cwd=_CACHE, check=True, env=_TOOLS)
    return _CACHE


if __name__ == "__main__":
    corpus = cases()
    mismatches = differences(corpus)
    heading = f"# {len(mismatches)} of {len(corpus)} numbers are judged differently: browser / server\n"
    DIFFERENCES.write_text(heading + "".join(f"{line}\n" for line in mismatches))
