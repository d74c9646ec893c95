"""The result of a part of the bench: named figures, tables for people, and bars."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Figures = dict[str, float]


@dataclass(frozen=True)
class Table:
    """Rows of text for readers; quoted or limited numbers are among the figures."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True)
class Bar:
    """A limit for the worst of some values, which lie between `least` and `most`. `noise` is the spread of its runs."""

    title: str
    values: Mapping[str, float]  # by page or click; a single value has the name ""
    most: float | None = None
    least: float | None = None
    noise: float = 0.0

    @property
    def worst_case(self) -> str:
        return (min if self.most is None else max)(self.values, key=lambda name: self.values[name])

    @property
    def value(self) -> float:
        return self.values[self.worst_case]

    @property
    def met(self) -> bool:
        return (self.most is None or self.value <= self.most) and (self.least is None or self.value >= self.least)


@dataclass
class Measured:
    """All results of a part; `versions` are those of the programs used."""

    figures: Figures = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Extent:
    """The amount of measuring: a full run is for the record, a short one only checks the tool."""

    folder: Path
    full: bool = False
    short: bool = False

    def pick(self, usual: int, *, full: int, short: int = 1) -> int:
        return short if self.short else full if self.full else usual


@dataclass(frozen=True)
class Part:
    """A part of `make trial NAME=bench`, and its minutes on two quiet cores; 0 means full runs only."""

    name: str
    title: str
    minutes: float
    minutes_full: float
    measure: Callable[[Extent], Measured]


def half_range(values: Sequence[float]) -> float:
    """Returns half the distance between the smallest and the largest value: how far apart runs of the same are."""
    return (max(values) - min(values)) / 2
