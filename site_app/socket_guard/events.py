"""Which events a browser may send: those of Reflex's registered handlers that a reviewed table allows."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

Allowed = Mapping[str, Mapping[str, str]]
_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "texts": lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value),
    "record": lambda value: isinstance(value, dict),
}


@dataclass(frozen=True)
class Review:
    """The table: the payload of each event allowed, and why the others are refused."""

    allowed: Allowed
    refused: Mapping[str, str]

    def knows(self, name: str) -> bool:
        return self.payload(name) is not None or any(fnmatchcase(name, pattern) for pattern in self.refused)

    def payload(self, name: str) -> Mapping[str, str] | None:
        """The keys of an allowed event's payload and what they hold; None for an event that is not allowed."""
        return next((keys for pattern, keys in self.allowed.items() if fnmatchcase(name, pattern)), None)


def review(table: Path) -> Review:
    """Read the table; raises ValueError on a kind of value there is no check for."""
    tables = tomllib.loads(table.read_text())
    read = Review(tables["allowed"], tables["refused"])
    unknown = {kind.rstrip("?") for keys in read.allowed.values() for kind in keys.values()} - _KINDS.keys()
    if unknown:
        raise ValueError(f"{table.name}: {sorted(unknown)}; there are {sorted(_KINDS)}")
    return read


def registered(event_handlers: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The handlers of a RegistrationContext: what a browser calls each, and where it stands in the code."""
    for wire, entry in event_handlers.items():
        for state in entry.states:
            yield wire, f"{state.__module__}.{state.__qualname__}.{wire.rpartition('.')[2]}"


def allowed_events(table: Review, event_handlers: Mapping[str, Any]) -> Allowed:
    """The allowed events by the names that a browser uses, each with its payload keys and what they hold."""
    found = {wire: table.payload(name) for wire, name in registered(event_handlers)}
    return {wire: keys for wire, keys in found.items() if keys is not None}


def matches_schema(payload: Any, keys: Mapping[str, str]) -> bool:
    """Whether a payload has these keys, and in each what the table says."""
    if not isinstance(payload, dict) or not payload.keys() <= keys.keys():
        return False
    return all(
        _KINDS[kind.rstrip("?")](payload[name]) if name in payload else kind.endswith("?") for name, kind in keys.items()
    )
