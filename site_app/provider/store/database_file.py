"""The SQLite file that a process has opened, and whether it is still the one at its path: SQLite itself would not notice."""

from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

MOVED = "The file has been moved, deleted or replaced since the start: put it back, or start the site again."


class DatabaseMoved(Exception):
    """Nothing is written, because whoever opens the database by its path would never find it."""

    def __init__(self) -> None:
        super().__init__(MOVED)


class DatabaseFile:
    """Its path, and which file lay there when it was opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._opened = _identity(path)

    def is_there(self) -> bool:
        """Whether the file that lies at the path is the one that was opened."""
        return self._opened is not None and _identity(self.path) == self._opened

    def guard(self, engine: Engine) -> None:
        """Check at each new connection and each transaction; a new connection would make an empty file at the path."""

        def check(*_: Any) -> None:
            if not self.is_there():
                raise DatabaseMoved

        event.listen(engine, "do_connect", check)
        event.listen(engine, "begin", check, insert=True)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
