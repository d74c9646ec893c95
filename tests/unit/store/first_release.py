"""The database of release 0.1.0, whose origin test_first_release.py describes."""

import sqlite3
from contextlib import closing
from pathlib import Path

_DUMP = Path(__file__).with_suffix(".sql")


def write_first_release(folder: Path) -> Path:
    """Writes a database as that release left it, and returns its file."""
    file = folder / "site.db"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(_DUMP.read_text())
    return file
