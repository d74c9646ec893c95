"""Which events a browser may send: the registry of Reflex's handlers, cut down to a reviewed table."""

import inspect
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("events.toml")
Allowed = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Review:
    """The table: the payload keys of each event allowed, and why the others are refused."""

    allowed: Mapping[str, list[str]]
    refused: Mapping[str, str]

    def knows(self, name: str) -> bool:
        return name in self.allowed or any(fnmatchcase(name, pattern) for pattern in self.refused)


@dataclass(frozen=True)
class Handler:
    """One handler of the registry: `wire` is what a browser calls it, `name` where it stands in the code."""

    wire: str
    name: str
    parameters: tuple[str, ...]


def review(table: Path = TABLE) -> Review:
    return Review(**tomllib.loads(table.read_text()))


def registered(event_handlers: Mapping[str, Any]) -> Iterator[Handler]:
    """The handlers of a RegistrationContext."""
    for wire, entry in event_handlers.items():
        method = wire.rpartition(".")[2]
        parameters = tuple(inspect.signature(entry.handler.fn).parameters)[1:]  # without self
        for state in entry.states:
            yield Handler(wire, f"{state.__module__}.{state.__qualname__}.{method}", parameters)


def reviewed(event_handlers: Mapping[str, Any]) -> Allowed:
    """By their names on the wire the allowed events, each with its payload keys."""
    allowed = review().allowed
    return {handler.wire: frozenset(allowed[handler.name]) for handler in registered(event_handlers) if handler.name in allowed}
