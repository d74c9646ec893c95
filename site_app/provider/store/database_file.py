"""Notices when the SQLite file that a process has opened was moved, deleted or replaced; SQLite itself does not."""

from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

MOVED = "The file has been moved, deleted or replaced since the start: put it back, or start the site again."


class DatabaseMoved(Exception):
    """The open file is no longer at its path. Nothing is written, because nobody who opens the path would find it."""

    def __init__(self) -> None:
        super().__init__(MOVED)


class DatabaseFile:
    """The database's path, and the identity of the file that was there when it was opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._opened_identity = _identity(path)

    def is_in_place(self) -> bool:
        """Returns True if the file at the path is the one that was opened."""
        return self._opened_identity is not None and _identity(self.path) == self._opened_identity

    def guard(self, engine: Engine) -> None:
        """Checks the file before each new connection, which would create an empty file, and before each transaction."""

        def check(*_: Any) -> None:
            if not self.is_in_place():
                raise DatabaseMoved

        event.listen(engine, "do_connect", check)
        event.listen(engine, "begin", check, insert=True)


def _identity(path: Path) -> tuple[int, int] | None:
    """Returns the device and inode of the file, or None if there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino
