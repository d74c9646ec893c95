"""Lists that are the same for everybody, held once per process."""

from collections.abc import Iterable
from typing import Any

from site_app.states.door import Named


class KeptList(list[Named]):
    """A list of the table below; pickled with a visitor's state it is only its name, and the table's list again afterwards."""

    def __init__(self, name: str, language: str, rows: Iterable[Named] = ()) -> None:
        super().__init__(rows)
        self.key = (name, language)

    def __reduce__(self) -> tuple[Any, ...]:
        return kept, self.key


_TABLE: dict[tuple[str, str], KeptList] = {}


def kept(name: str, language: str) -> KeptList:
    """The list as it was loaded last in this process; empty if it was not."""
    return _TABLE.get((name, language)) or KeptList(name, language)


def keep(name: str, language: str, rows: Iterable[Named]) -> None:
    """Replace the list."""
    _TABLE[name, language] = KeptList(name, language, rows)


def forget() -> None:
    """Empty the table."""
    _TABLE.clear()
