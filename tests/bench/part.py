"""What a part of the benchmark hands back: figures with names, tables to be read, and bars it is held to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Figures = dict[str, float]


class NotRun(Exception):
    """Says what this machine lacks; what was measured before stays."""


@dataclass(frozen=True)
class Table:
    """Rows of text, to be read; numbers that are quoted or held to a bar stand among the figures."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True)
class Bar:
    """What a figure is held to: it may not be above `most`, nor below `least`."""

    says: str
    value: float
    most: float | None = None
    least: float | None = None

    @property
    def met(self) -> bool:
        return (self.most is None or self.value <= self.most) and (self.least is None or self.value >= self.least)


@dataclass
class Measured:
    """Everything one part saw; `versions` are those of the programs it used."""

    figures: Figures = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    plots: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Extent:
    """How much is measured: a short run proves that the tool works, its figures are not to be trusted."""

    short: bool
    room: Path

    def pick(self, long: int, short: int) -> int:
        return short if self.short else long


@dataclass(frozen=True)
class Part:
    """A part of `make bench`; `minutes` is how long it takes on two quiet cores."""

    name: str
    says: str
    minutes: int
    measure: Callable[[Extent], Measured]


def median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def percentile(values: Sequence[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def worst(rows: Mapping[str, float]) -> tuple[str, float]:
    """The name and the value of the largest."""
    name = max(rows, key=lambda one: rows[one])
    return name, rows[name]
