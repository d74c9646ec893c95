"""The record, results.md: each part's tables to be read, under a line of JSON for programs. docs/operate/scale.md quotes from there."""

import json
import os
import platform
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.browser.server import ROOT
from tests.trials.bench.part import Bar, Measured, Part
from tests.trials.lab.revision import commit

RECORD = ROOT / "tests/trials/results.md"
QUOTING = ROOT / "docs" / "operate" / "scale.md"
# A figure and, right behind it, which one it is: 0.97<!-- pages.home.lcp_s -->
QUOTE = re.compile(r"(?P<figure>-?[\d,]*\.?\d+)<!-- (?P<name>[a-z][\w.]+) -->")
_PART = re.compile(r"^<!-- (?P<name>\w+) (?P<data>{.*}) -->$", re.MULTILINE)
_HEAD = (
    "# Measured, side by side\n\nAs `make trial NAME=bench ARGS=--full` recorded it last, part by part. Client and server share one machine, so what is "
    "compared is measured in turns:\nA B C, A B C. Trust the ratios first. The comment under each heading is for programs.\n"
)
_LEAST_NOISE, _LEAST_OF_BAR = 0.05, 0.02  # of a recorded value, and of its bar: closer figures are the same
Recorded = dict[str, Any]


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


def read(file: Path = RECORD) -> dict[str, Recorded]:
    """What is recorded of each part: its date, commit, figures and bars."""
    text = file.read_text() if file.exists() else ""
    return {found["name"]: json.loads(found["data"]) for found in _PART.finditer(text)}


def keep(part: Part, measured: Measured, *, began: datetime, minutes: float, loads: str, file: Path = RECORD) -> None:
    """Write one part into the record; the others stay as they were measured."""
    sections = _sections(file)
    sections[part.name] = "\n".join(_section(part, measured, began=began, minutes=minutes, loads=loads)).rstrip() + "\n"
    file.write_text("\n".join([_HEAD, *sections.values()]))


def figures(recorded: Mapping[str, Recorded]) -> dict[str, float]:
    """Every figure by its whole name: the part's, a dot, its own."""
    return {f"{part}.{name}": value for part, found in recorded.items() for name, value in found["figures"].items()}


def compared(bar: Bar, recorded: Recorded) -> str:
    """How a bar's worst value lies to the record's, both among what both have measured; empty where nothing can be compared."""
    then = recorded.get("bars", {}).get(bar.says, {"values": {}, "noise": 0})
    shared = [name for name in bar.values if name in then["values"]]
    if not shared:
        return ""
    worst = min if bar.most is None else max
    now, before = (worst(values[name] for name in shared) for values in (bar.values, then["values"]))
    limit = bar.least if bar.most is None else bar.most
    noise = max(bar.noise, then["noise"], _LEAST_NOISE * abs(before), _LEAST_OF_BAR * abs(limit or 0))
    change = (before - now) if bar.most is None else (now - before)
    verdict = "worse" if change > noise else "better" if change < -noise else "the same"
    return f"{verdict}: {before:.4g} recorded, {now:.4g} now, noise {noise:.2g}"


def _sections(file: Path) -> dict[str, str]:
    """The text of each part, by its name."""
    texts = re.split(r"(?m)^(?=## )", file.read_text())[1:] if file.exists() else []
    return {found["name"]: text.rstrip() + "\n" for text in texts if (found := _PART.search(text))}


def _section(part: Part, measured: Measured, *, began: datetime, minutes: float, loads: str) -> Iterator[str]:
    when, at = began.strftime("%Y-%m-%d %H:%M UTC"), commit()
    bars = {
        bar.says: {"noise": round(bar.noise, 4), "values": {name: round(value, 4) for name, value in bar.values.items()}}
        for bar in measured.bars
    }
    data = {
        "date": when,
        "commit": at,
        "figures": {name: round(value, 4) for name, value in sorted(measured.figures.items())},
        "bars": bars,
    }
    yield f"## {part.says}\n\n<!-- {part.name} {json.dumps(data, ensure_ascii=False)} -->\n"
    held = ", ".join(f"{key} {value}" for key, value in (machine() | measured.versions).items())
    yield f"`make trial NAME={part.name} ARGS=--full`, {when}, {minutes:.1f} minutes, commit {at}; {held}."
    yield f"Load (one-minute average) {loads}.\n"
    if measured.bars:
        yield "| bar | wanted | measured | |\n|---|---:|---:|---|"
        yield from (
            f"| {named(bar)} | {wanted(bar)} | {bar.value:.4g} | {'met' if bar.met else '**falls short**'} |"
            for bar in measured.bars
        )
        yield ""
    for table in measured.tables:
        yield f"### {table.title}\n"
        yield "| " + " | ".join(table.head) + " |"
        yield "|---|" + "---:|" * (len(table.head) - 1)
        yield from ("| " + " | ".join(row) + " |" for row in table.rows)
        yield ""
        if table.note:
            yield f"{table.note}\n"


def named(bar: Bar) -> str:
    return f"{bar.says} ({bar.where})" if bar.where else bar.says


def wanted(bar: Bar) -> str:
    return f"≥ {bar.least:g}" if bar.most is None else f"≤ {bar.most:g}"


def quotes(text: str) -> list[tuple[str, str]]:
    """The figures a document quotes: as they are written, and which they are."""
    return [(found["figure"], found["name"]) for found in QUOTE.finditer(text)]


def written(value: float, like: str) -> str:
    """A figure with as many decimals as the old quote of it."""
    decimals = len(like.partition(".")[2])
    return f"{value:,.{decimals}f}"


def renewed(text: str, known: Mapping[str, float]) -> str:
    """The document with every quoted figure as it was recorded last; one that never was stays, for a test to find."""

    def new(found: re.Match[str]) -> str:
        name, old = found["name"], found["figure"]
        return f"{written(known[name], old) if name in known else old}<!-- {name} -->"

    return QUOTE.sub(new, text)
