"""Writes all results: tables for people in results.md, data for programs in results.json, with a section for each trial."""

import json
import re
from pathlib import Path
from typing import Any

from tests.browser.server import ROOT

FOLDER = ROOT / "tests/trials"
_HEAD = (
    "# Results\n\nThe last result of each trial. Client and server share one machine, so what is compared is measured in turns: A B C, A B C. "
    "Trust the ratios first.\nLoads are one-minute averages. Promises that ordinary tests hold are in [promises.md](promises.md); the same "
    "results for programs in `tests/trials/results.json`.\n"
)


def read_results(folder: Path = FOLDER) -> dict[str, Any]:
    """Return the recorded data of every trial by its name."""
    file = folder / "results.json"
    return json.loads(file.read_text()) if file.exists() else {}


def write_result(name: str, title: str, table: str, data: dict[str, Any], *, folder: Path = FOLDER) -> None:
    """Replace one trial's data, and its section under this title; other trials keep theirs."""
    results = read_results(folder) | {name: data}
    (folder / "results.json").write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n")
    file = folder / "results.md"
    texts = re.split(r"(?m)^(?=## )", file.read_text())[1:] if file.exists() else []
    sections = {text.partition("\n")[0]: text.rstrip() + "\n" for text in texts}
    sections[f"## {title}"] = f"## {title}\n\n{table.strip()}\n"
    file.write_text("\n".join([_HEAD, *sections.values()]))
