"""Runs trials made of rows, each a promise with a target, and records whether it was met.

All results are written as tables for people in results.md and as data for programs in results.json, with a section for each trial and
the measured version of the site. The few figures that texts of the site quote are copied into the site, which never reads its tests.
"""

import argparse
import asyncio
import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from site_app.content.publications.measurements import MEASUREMENTS
from tests.support.site_server import ROOT
from tests.trials.lab.trial import Trial

FOLDER = ROOT / "tests/trials"
_DOCUMENT_HEAD = (
    "# Results\n\nThe last result of each trial. Client and server share one machine, so what is compared is measured in turns: A B C, A B C. "
    "Trust the ratios first.\nLoads are one-minute averages. Promises that ordinary tests hold are in [promises.md](promises.md); the same "
    "results for programs in `tests/trials/results.json`.\n"
)


def read_results(folder: Path = FOLDER) -> dict[str, Any]:
    """Returns the recorded data of every trial by its name."""
    file = folder / "results.json"
    return json.loads(file.read_text()) if file.exists() else {}


def write_result(name: str, title: str, table: str, data: dict[str, Any], *, folder: Path = FOLDER) -> None:
    """Replaces one trial's data, and its section under this title; other trials keep theirs."""
    results = read_results(folder) | {name: data}
    (folder / "results.json").write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n")
    file = folder / "results.md"
    texts = re.split(r"(?m)^(?=## )", file.read_text())[1:] if file.exists() else []
    sections = {text.partition("\n")[0]: text.rstrip() + "\n" for text in texts}
    sections[f"## {title}"] = f"## {title}\n\n{table.strip()}\n"
    file.write_text("\n".join([_DOCUMENT_HEAD, *sections.values()]))


def measurements(results: dict[str, Any]) -> dict[str, float | str]:
    """Returns the figures that texts of the site quote, by the names that they have there."""
    pages, desktop, capacity = (results[part]["figures"] for part in ("pages", "desktop", "capacity"))
    outcomes = [row["outcome"] for row in results["attacks"].values()]
    return {
        "home_kb": pages["home.kb"],
        "home_lcp_ratio": pages["home.lcp_ratio"],
        "home_tbt_ms": pages["home.tbt_ms"],
        "astrowind_kb": pages["astrowind.kb"],
        "astrowind_lcp_ratio": pages["astrowind.lcp_ratio"],
        "astrowind_tbt_ms": pages["astrowind.tbt_ms"],
        "desktop_home_kb": desktop["home.kb"],
        "desktop_astrowind_kb": desktop["astrowind.kb"],
        "submissions_per_second": capacity["submissions.sqlite.per_second"],
        "pages_per_second": capacity["pages.sqlite.per_second"],
        "trials": len(outcomes),
        "trials_met": outcomes.count(MET),
        "measured_on": results["pages"]["date"][:10],
    }


def write_measurements() -> None:
    """Writes the quoted figures into the site. Called when a trial ends, because a change makes the build out of date."""
    MEASUREMENTS.write_text(json.dumps(measurements(read_results()), indent=1) + "\n")


# Files written by measurements: a commit of only these leaves the site's code unchanged.
_CODE_PATHS = (
    ".",
    *(f":(exclude){path}" for path in ("tests/trials/results.*", "docs/operate/scale.md", MEASUREMENTS.relative_to(ROOT))),
)


@cache
def commit() -> str:
    """Returns the last commit that changed more than records, with a + if files have changed since; cached from the start."""
    last = _git("log", "-1", "--format=%h", "--abbrev=8", "--", *_CODE_PATHS)
    return f"{last}+" if last and _git("status", "--porcelain", "--", *_CODE_PATHS) else last or "unknown"


def _git(*command: str) -> str:
    return subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True).stdout.strip()


MET, MISSED, LATE, NOT_RUN = "met", "falls short", "too late", "not run"
_LOGS = Path(".cache", "trials")  # below the current directory
_HEAD = "| # | promise | target | figure | outcome | measured |\n|---|---|---|---|---|---|\n"
_COLUMNS = ("promise", "target", "figure", "outcome", "measured")


class NotRun(Exception):
    """Names the missing program or setting; never counts as passed."""


def must_run(name: str) -> bool:
    """Returns True if this trial, row (`attacks:17`) or engine may not be missing here.

    CI sets CI_ALLOW_MISSING to the names that its machine cannot run, or to nothing. Without it, as at a desk, anything may be missing.
    """
    allowed = os.environ.get("CI_ALLOW_MISSING")
    return allowed is not None and name not in allowed.replace(",", " ").split()


@dataclass(frozen=True)
class Verdict:
    """The measured figure and whether it meets the target; `late` means that only the time limit may be missed."""

    met: bool
    figure: str
    late: bool = False


Check = Callable[[Trial], Awaitable[Verdict]]
Subject = TypeVar("Subject")


@dataclass(frozen=True)
class Promise:
    """A row: `check` runs it with real processes; its target is checked there and described here."""

    number: int
    title: str
    target: str
    check: Check


@dataclass(frozen=True)
class Card:
    """A trial with rows: its name, and the title and the introduction of its section in the results."""

    name: str
    title: str
    about: str


# A row that is tried on a subject: its title, its target, and the check.
Row = tuple[str, str, Callable[[Subject, Trial], Awaitable[Verdict]]]


def promises_on(subject: Subject, rows: Sequence[Row[Subject]]) -> list[Promise]:
    """Returns the rows as promises, numbered from 1, that are all tried on one subject, such as a cluster of servers."""
    return [Promise(number, title, target, partial(check, subject)) for number, (title, target, check) in enumerate(rows, 1)]


def report_not_run(rows: Sequence[Row[Any]], card: Card, reason: NotRun) -> int:
    """Prints that no row ran, and why; returns 1 if this trial may not be missing here."""
    print(f"0 {MET}, 0 {MISSED}, {len(rows)} {NOT_RUN}: {reason}.")
    return int(must_run(card.name))


@dataclass(frozen=True)
class Result:
    """A row with its figure, and the machine's load meanwhile."""

    number: int
    promise: str
    target: str
    outcome: str
    figure: str
    load: float
    seconds: float
    extent: str
    logs: str = ""  # the folder with its sites' logs, if it fell short


async def run(promise: Promise, trial: Trial) -> Result:
    """Tries a promise; any error counts as a broken promise, and the logs of its sites are kept."""
    folder, has_logs = _LOGS / f"row-{promise.number:02}", False
    outcome = MISSED
    try:
        verdict = await promise.check(trial)
        # The short form runs on shared machines: a row that is only late is reported and left to the long form.
        outcome = MET if verdict.met else LATE if verdict.late and trial.short else MISSED
        figure = verdict.figure
    except NotRun as reason:
        outcome, figure = NOT_RUN, str(reason)
    except Exception as error:  # a trial that ends in an error proves nothing
        outcome, figure = MISSED, " ".join(f"the trial broke off: {type(error).__name__}: {error}".split())[:300]
    finally:
        has_logs = outcome == MISSED and trial.keep_logs(folder)
        trial.close()
    load = round(os.getloadavg()[0], 1)
    extent = "short" if trial.short else "long"
    row = promise.number, promise.title, promise.target, outcome, figure, load, round(trial.seconds), extent
    return Result(*row, logs=str(folder) if has_logs else "")


def line_of(result: Result) -> str:
    logs = f"\n    logs:   {result.logs}" if result.logs else ""
    return (
        f"{result.number:>2}  {result.outcome:<11}  {result.promise}\n"
        f"    target: {result.target}\n    figure: {result.figure}  (load {result.load}, {result.seconds} s, {result.extent}){logs}"
    )


def keep(result: Result, card: Card, *, folder: Path = FOLDER) -> None:
    """Writes the row into the results, with unmet rows first; the other rows keep their results."""
    rows = read_results(folder).get(card.name, {})
    measured = f"{result.extent}, load {result.load}, commit {commit()}"
    row = {"promise": result.promise, "target": result.target, "figure": result.figure, "outcome": result.outcome}
    rows[str(result.number)] = row | {"measured": measured}
    rows = dict(sorted(rows.items(), key=lambda item: int(item[0])))
    write_result(card.name, card.title, card_table(rows, card), rows, folder=folder)


def card_table(rows: dict[str, dict[str, str]], card: Card) -> str:
    """Returns the introduction and the rows as a Markdown table, unmet ones first."""
    order = sorted(rows, key=lambda number: (rows[number]["outcome"] == MET, int(number)))
    lines = [[number, *(rows[number][column] for column in _COLUMNS)] for number in order]
    table = "".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |\n" for line in lines)
    return f"{card.about}\n\n{_HEAD}{table}"


def try_all(promises: Sequence[Promise], arguments: Sequence[str], card: Card) -> int:
    """Tries the rows that the arguments name, prints them and records those of the long form; returns 1 if one falls short."""
    parser = argparse.ArgumentParser(prog=f"make trial NAME={card.name}")
    parser.add_argument("rows", nargs="*", type=int, help="Numbers of the rows; default: all")
    parser.add_argument("--short", action="store_true", help="Smaller numbers, kept nowhere; the targets stay the same")
    options = parser.parse_intermixed_args(arguments)
    counted, missing = Counter[str](), 0
    for promise in promises:
        if not options.rows or promise.number in options.rows:
            result = asyncio.run(run(promise, Trial(short=options.short)))
            counted[result.outcome] += 1
            missing += result.outcome == NOT_RUN and must_run(f"{card.name}:{result.number}")
            print(line_of(result), flush=True)
            if not options.short:
                keep(result, card)
    if not options.short:
        write_measurements()
    print("\n" + ", ".join(f"{counted[outcome]} {outcome}" for outcome in (MET, MISSED, LATE, NOT_RUN)))
    return 1 if counted[MISSED] or missing else 0
