"""The result of a part of the bench: named figures, tables for people, and the bars that it is held to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Figures = dict[str, float]


@dataclass(frozen=True)
class Table:
    """Rows of text, to be read; numbers that are quoted or held to a bar stand among the figures."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True)
class Bar:
    """A limit for the worst of some values: none may be above `most`, nor below `least`. `noise` is how far its runs lay apart."""

    title: str
    values: Mapping[str, float]  # by page or click; a value that stands alone has the name ""
    most: float | None = None
    least: float | None = None
    noise: float = 0.0

    @property
    def where(self) -> str:
        return (min if self.most is None else max)(self.values, key=lambda name: self.values[name])

    @property
    def value(self) -> float:
        return self.values[self.where]

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


@dataclass(frozen=True)
class Extent:
    """How much is measured: a full run is for the record, a short one only proves that the tool works."""

    room: Path
    full: bool = False
    short: bool = False

    def pick(self, usual: int, *, full: int, short: int = 1) -> int:
        return short if self.short else full if self.full else usual


@dataclass(frozen=True)
class Part:
    """A part of `make trial NAME=bench`, and how many minutes it takes on two quiet cores; 0 is a part of full runs alone."""

    name: str
    title: str
    minutes: float
    minutes_full: float
    measure: Callable[[Extent], Measured]


def apart(values: Sequence[float]) -> float:
    """How far a run may lie from the middle of all."""
    return (max(values) - min(values)) / 2
