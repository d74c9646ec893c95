"""The record of the bench: writing a part into the results, comparing it with the last run, and quoting it in documents."""

import os
import platform
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.support.site_server import ROOT
from tests.trials.bench.part import Bar, Measured, Part
from tests.trials.lab.scorecard import commit, write_result

QUOTING = ROOT / "docs" / "operate" / "scale.md"
TEMPLATE = Path(__file__).with_name("quoted.md")
PLACEHOLDER = re.compile(r"{(?P<name>[a-z][\w.]+):(?P<format>[^}]+)}")  # such as {pages.home.lcp_s:,.1f}
_QUOTED = re.compile(r"(<!-- figures: [^>]*-->\n)(.*?)(<!-- /figures -->)", re.DOTALL)
_MIN_NOISE, _MIN_SHARE_OF_BAR = 0.05, 0.02  # share of a recorded value, and of its bar: smaller differences are ignored
Recorded = dict[str, Any]


def machine() -> dict[str, str]:
    """Returns the machine and the versions that the figures are valid for."""
    cpu = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())
    kibibytes = re.search(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text())
    memory = f"{int(kibibytes[1]) / 2**20:.0f} GiB" if kibibytes else "memory unknown"
    return {
        "machine": f"{os.cpu_count()} cores of {cpu[1] if cpu else platform.machine()}, {memory}",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("reflex", "granian")},
    }


def keep(part: Part, measured: Measured, *, began: datetime, minutes: float, loads: str) -> None:
    """Writes one part into the results."""
    date, revision = began.strftime("%Y-%m-%d %H:%M UTC"), commit()
    bars = {
        bar.title: {"noise": round(bar.noise, 4), "values": {name: round(value, 4) for name, value in bar.values.items()}}
        for bar in measured.bars
    }
    figures = {name: round(value, 4) for name, value in sorted(measured.figures.items())}
    data = {"date": date, "commit": revision, "figures": figures, "bars": bars}
    circumstances = ", ".join(f"{key} {value}" for key, value in (machine() | measured.versions).items())
    command = f"`make trial NAME={part.name} ARGS=--full`, {date}, {minutes:.1f} minutes, commit {revision}; {circumstances}."
    table = "\n".join([command, f"Load {loads}.\n", *_tables(measured)])
    write_result(part.name, part.title, table, data)


def figures(recorded: Mapping[str, Recorded]) -> dict[str, float]:
    """Returns every figure by its full name: the part's, a dot, its own."""
    return {f"{part}.{name}": value for part, data in recorded.items() for name, value in data.get("figures", {}).items()}


def compared(bar: Bar, recorded: Recorded) -> str:
    """Describes a bar's worst value compared with the record's, over the values that both have; "" if there are none."""
    record = recorded.get("bars", {}).get(bar.title, {"values": {}, "noise": 0})
    shared = [name for name in bar.values if name in record["values"]]
    if not shared:
        return ""
    worst = min if bar.most is None else max
    measured_worst, recorded_worst = (worst(values[name] for name in shared) for values in (bar.values, record["values"]))
    limit = bar.least if bar.most is None else bar.most
    noise = max(bar.noise, record["noise"], _MIN_NOISE * abs(recorded_worst), _MIN_SHARE_OF_BAR * abs(limit or 0))
    change = (recorded_worst - measured_worst) if bar.most is None else (measured_worst - recorded_worst)
    verdict = "worse" if change > noise else "better" if change < -noise else "the same"
    return f"{verdict}: {recorded_worst:.4g} recorded, {measured_worst:.4g} now, noise {noise:.2g}"


def _tables(measured: Measured) -> Iterator[str]:
    """Yields the lines of the table of bars and of every other table."""
    if measured.bars:
        yield "| bar | wanted | measured | |\n|---|---:|---:|---|"
        yield from (
            f"| {bar_name(bar)} | {bar_limit(bar)} | {bar.value:.4g} | {'met' if bar.met else '**falls short**'} |"
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


def bar_name(bar: Bar) -> str:
    return f"{bar.title} ({bar.worst_case})" if bar.worst_case else bar.title


def bar_limit(bar: Bar) -> str:
    return f"≥ {bar.least:g}" if bar.most is None else f"≤ {bar.most:g}"


def quote(results: Mapping[str, Recorded], template: str) -> str:
    """Returns the template with each `{name:format}` replaced by that figure; raises KeyError for an unrecorded figure."""
    known_figures = figures(results)
    return PLACEHOLDER.sub(lambda match: format(known_figures[match["name"]], match["format"]), template)


def renew_quotes(document: str, results: Mapping[str, Recorded]) -> str:
    """Returns the document with the text between its marks replaced by the filled-in template."""
    head, mark, _, end, tail = _QUOTED.split(document)
    return f"{head}{mark}{quote(results, TEMPLATE.read_text()).rstrip()}\n{end}{tail}"
