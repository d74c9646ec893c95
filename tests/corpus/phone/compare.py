"""Runs the corpus through both sides. `python -m tests.corpus.phone.compare` writes the differences down anew."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from components.phone_input.phone_input import COUNTRY_NAMES, LIBPHONENUMBER
from tests.corpus.phone.numbers import Case, cases
from tests.corpus.phone.verdict import verdict

ROOT = Path(__file__).parents[3]
DIFFERENCES = Path(__file__).with_name("differences.txt")
_CACHE = ROOT / ".cache" / "phone_corpus"
_TOOLS = os.environ | {"PATH": f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"}

Answer = dict[str, str | bool | None]


def engine(calls: Iterable[Sequence[object]]) -> list[Any]:
    """What the component's own modules answer to calls of theirs, run by node; see engine.mjs."""
    here = _with_library() / "phone_engine"
    here.mkdir(exist_ok=True)
    (here / "package.json").write_text('{"type": "module"}')
    for file in (*(ROOT / "components/phone_input").glob("*.js*"), Path(__file__).with_name("engine.mjs")):
        shutil.copy(file, here)
    lines = "\n".join(json.dumps(call) for call in calls)
    answered = subprocess.run(
        ["node", str(here / "engine.mjs")], input=lines, capture_output=True, text=True, check=True, env=_TOOLS
    )
    return [json.loads(line) for line in answered.stdout.splitlines()]


def browser_answers(corpus: list[Case]) -> list[Answer]:
    return engine(["read", *case] for case in corpus)


def server_answers(corpus: list[Case]) -> list[Answer]:
    return [asdict(verdict(*case)) for case in corpus]


def differences(corpus: list[Case]) -> list[str]:
    """One line for each case on which the two disagree, in any field."""
    found = []
    for case, browser, server in zip(corpus, browser_answers(corpus), server_answers(corpus), strict=True):
        fields = [f"{name}: {browser[name]!r} / {server[name]!r}" for name in server if browser[name] != server[name]]
        if fields:
            found.append(f"{case[0]!r} {case[1]}: {', '.join(fields)}")
    return found


def _with_library() -> Path:
    """A directory whose node_modules has the library: of the site's last build, else one of our own, filled once."""
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
    found = differences(corpus)
    heading = f"# {len(found)} of {len(corpus)} numbers are judged differently; each field: browser / server\n"
    DIFFERENCES.write_text(heading + "".join(f"{line}\n" for line in found))
