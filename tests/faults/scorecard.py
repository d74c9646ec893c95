"""The scorecard: what is promised, what was measured, and whether it was met."""

import json
import os
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.faults.trial import Trial

MET, SHORT, NOT_RUN = "met", "falls short", "not run"
KEPT = Path(__file__).parents[1] / "bench" / "scorecard.json"
LOGS = Path(".cache", "faults")  # from where the command is started
_ABOUT = (
    "# The scorecard\n\nAs `make faults` measured it last, row by row; each row's trial stands in `tests/faults/`. A row that "
    "falls short stays so until it is mended.\nClients, faults and site share one machine; the load is its one-minute average.\n\n"
)


class NotRun(Exception):
    """Says what this machine lacks; never counts as passed."""


@dataclass(frozen=True)
class Verdict:
    """What was seen, and whether it is what was promised."""

    met: bool
    figure: str

    @property
    def outcome(self) -> str:
        return MET if self.met else SHORT


Tried = Callable[[Trial], Awaitable[Verdict]]


def together(*parts: Tried) -> Tried:
    """One trial of several parts: its promise is met when each part is."""

    async def tried(trial: Trial) -> Verdict:
        verdicts = [await part(trial) for part in parts]
        return Verdict(all(one.met for one in verdicts), "; ".join(one.figure for one in verdicts))

    return tried


@dataclass(frozen=True)
class Promise:
    """A row: `tried` runs it for real; its target is checked there and said here."""

    number: int
    says: str
    target: str
    tried: Tried


@dataclass(frozen=True)
class Result:
    """A row with its figure, and how busy the machine was meanwhile."""

    number: int
    promise: str
    target: str
    outcome: str
    figure: str
    load: float
    seconds: float
    extent: str
    logs: str = ""  # the folder with what its sites wrote, where it fell short


async def run(promise: Promise, trial: Trial, *, logs: Path = LOGS) -> Result:
    """Try a promise; whatever breaks on the way is a promise not kept, and the logs of its sites stay."""
    folder, told = logs / f"row-{promise.number:02}", False
    outcome = SHORT
    try:
        verdict = await promise.tried(trial)
        outcome, figure = verdict.outcome, verdict.figure
    except NotRun as lacking:
        outcome, figure = NOT_RUN, str(lacking)
    except Exception as error:  # a trial that ends in an error has shown nothing
        outcome, figure = SHORT, " ".join(f"the trial broke off: {type(error).__name__}: {error}".split())[:300]
    finally:
        told = outcome == SHORT and trial.keep_logs(folder)
        trial.close()
    load = round(os.getloadavg()[0], 1)
    extent = "short" if trial.short else "long"
    said = promise.number, promise.says, promise.target, outcome, figure, load, round(trial.seconds), extent
    return Result(*said, logs=str(folder) if told else "")


def say(result: Result) -> str:
    logs = f"\n    logs:   {result.logs}" if result.logs else ""
    return (
        f"{result.number:>2}  {result.outcome:<11}  {result.promise}\n"
        f"    target: {result.target}\n    figure: {result.figure}  (load {result.load}, {result.seconds} s, {result.extent}){logs}"
    )


def keep(results: list[Result], file: Path = KEPT, *, about: str = _ABOUT) -> None:
    """Write the rows into the scorecard, as JSON and to be read; rows that were not tried this time stay as they were."""
    kept = {one["number"]: one for one in json.loads(file.read_text())} if file.exists() else {}
    kept |= {result.number: {name: value for name, value in asdict(result).items() if name != "logs"} for result in results}
    rows = [kept[number] for number in sorted(kept)]
    file.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    lines = [
        f"| {row['number']} | {row['promise']} | {row['target']} | {row['figure']} | {row['outcome']} | {row['extent']}, load {row['load']} |"
        for row in rows
    ]
    table = "| # | promise | target | figure | outcome | extent |\n|---|---|---|---|---|---|\n"
    file.with_suffix(".md").write_text(about + table + "\n".join(lines) + "\n")
