"""What was measured, part by part: results.json for programs and results.md to be read; README quotes from there."""

import json
import os
import platform
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.bench.part import Measured, Part

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).with_name("results.json")
PLOTS = Path(__file__).with_name("plots")
README = ROOT / "README.md"
# A figure and, right behind it, which one it is: 0.97<!-- pages.home.lcp_s -->
QUOTE = re.compile(r"(?P<figure>-?[\d,]*\.?\d+)<!-- (?P<name>[a-z][\w.]+) -->")
Results = dict[str, Any]


def machine() -> dict[str, str]:
    """What the figures hold for."""
    cpu = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())
    kibibytes = re.search(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text())
    memory = f"{int(kibibytes[1]) / 2**20:.0f} GiB" if kibibytes else "memory unknown"
    return {
        "machine": f"{os.cpu_count()} cores of {cpu[1] if cpu else platform.machine()}, {memory}",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("reflex", "granian")},
    }


def commit() -> str:
    """The commit measured, with a + where files were changed since."""
    said = subprocess.run(["git", "describe", "--always", "--dirty=+", "--abbrev=8"], cwd=ROOT, capture_output=True, text=True)
    return said.stdout.strip() or "unknown"


def keep(
    part: Part, measured: Measured, *, began: datetime, loads: tuple[float, float], short: bool, file: Path = KEPT
) -> None:
    """Write one part's figures; the other parts stay as they were measured."""
    results = read(file)
    for name, drawing in measured.plots.items():
        (file.parent / "plots").mkdir(exist_ok=True)
        (file.parent / "plots" / f"{name}.svg").write_text(drawing)
    results[part.name] = {
        "says": part.says,
        "date": began.strftime("%Y-%m-%d %H:%M UTC"),
        "minutes": round((datetime.now(UTC) - began).total_seconds() / 60, 1),
        "extent": "short" if short else "long",
        "load": {"before": round(loads[0], 1), "after": round(loads[1], 1)},
        "commit": commit(),
        "versions": machine() | measured.versions,
        "figures": {name: round(value, 4) for name, value in sorted(measured.figures.items())},
        "bars": [asdict(bar) | {"met": bar.met} for bar in measured.bars],
        "tables": [asdict(table) for table in measured.tables],
        "plots": sorted(measured.plots),
    }
    file.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    file.with_suffix(".md").write_text(as_markdown(results))


def read(file: Path = KEPT) -> Results:
    return json.loads(file.read_text()) if file.exists() else {}


def figures(results: Results) -> dict[str, float]:
    """Every figure by its whole name: the part's, a dot, its own."""
    return {f"{part}.{name}": value for part, found in results.items() for name, value in found["figures"].items()}


def as_markdown(results: Results) -> str:
    return "\n".join(_lines(results))


def _lines(results: Results) -> Iterator[str]:
    yield "# Measured, side by side\n"
    yield "As `make bench` measured it last, part by part; what is quoted elsewhere is quoted from `results.json` beside this file."
    yield "Client and server share one machine, so what is compared is measured in turns: A B C, A B C. Trust the ratios first.\n"
    for name, part in results.items():
        yield f"## {part['says']}\n"
        held = ", ".join(f"{key} {value}" for key, value in part["versions"].items())
        yield f"`make bench PARTS={name}`, {part['date']}, {part['minutes']} minutes, commit {part['commit']}; {held}."
        if part["extent"] == "short":
            yield "A short run, which proves the tool: do not trust its figures."
        yield f"Load (one-minute average) {part['load']['before']} before and {part['load']['after']} after.\n"
        yield from _bars(part["bars"])
        for table in part["tables"]:
            yield f"### {table['title']}\n"
            yield "| " + " | ".join(table["head"]) + " |"
            yield "|---|" + "---:|" * (len(table["head"]) - 1)
            yield from ("| " + " | ".join(row) + " |" for row in table["rows"])
            yield ""
            if table["note"]:
                yield f"{table['note']}\n"
        yield from (f"![{plot.replace('_', ' ')}](plots/{plot}.svg)\n" for plot in part["plots"])


def _bars(bars: list[Mapping[str, Any]]) -> Iterator[str]:
    if not bars:
        return
    yield "| bar | wanted | measured | |\n|---|---:|---:|---|"
    for bar in bars:
        wanted = f"≤ {bar['most']:g}" if bar["most"] is not None else f"≥ {bar['least']:g}"
        yield f"| {bar['says']} | {wanted} | {bar['value']:.4g} | {'met' if bar['met'] else '**falls short**'} |"
    yield ""


def quotes(text: str) -> list[tuple[str, str]]:
    """The figures a document quotes: as they are written, and which they are."""
    return [(found["figure"], found["name"]) for found in QUOTE.finditer(text)]


def written(value: float, like: str) -> str:
    """A figure with as many decimals as the old quote of it."""
    decimals = len(like.partition(".")[2])
    return f"{value:,.{decimals}f}"


def renewed(text: str, known: Mapping[str, float]) -> str:
    """The document with every quoted figure as it was measured last; one that never was stays, for a test to find."""

    def new(found: re.Match[str]) -> str:
        name, old = found["name"], found["figure"]
        return f"{written(known[name], old) if name in known else old}<!-- {name} -->"

    return QUOTE.sub(new, text)
