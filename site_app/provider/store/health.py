"""Tests whether the database stores what is written, by writing. Describes a problem as a sentence for the operator.

The sentence is public, so it repeats nothing of the database's own message, which may name an address, a user or a path.
"""

import asyncio
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from sqlalchemy import text
from sqlmodel import Session

from site_app.provider.store.connections import Store, StoreUnavailable
from site_app.provider.store.engine import MOVED, ORPHANED_LOG, DatabaseFile

MAX_DATABASE_SECONDS = 3.0
_MAX_CHECK_SECONDS = 0.5  # short, because anybody may request the check; `doctor` checks a large file completely
_TOO_SLOW = "No write succeeded within {seconds:.0f} s: another process has locked the database, or its disk does not answer."
_SEE_LOG = "The database reports an error: its message is in the site's log."
_DAMAGED_ADVICE = (
    "The file is damaged or no database: stop the site and restore the last backup, or name another, such as SITE_VAR=var."
)
_PROBLEMS = {  # by a part of SQLite's or PostgreSQL's message
    "locked": "Another process has locked it.",
    "lock timeout": "Another process has locked it.",
    "readonly": "It must be writable: look at the file's owner and rights, and whether the disk is mounted read-only.",
    "read-only": "It must be writable: look at its rights, and whether the server stands by for another one.",
    "malformed": _DAMAGED_ADVICE,
    "not a database": _DAMAGED_ADVICE,
    "another program": "Name one of its own in SITE_DATABASE_URL or SITE_VAR.",
    "disk i/o": "The disk reports errors: look at the system's log.",
    "is full": "The disk is full: make room.",
    "no such table": "Its tables are missing. If it is new: python -m site_app db upgrade; else put the right file or a backup back.",
    "relation": "If its tables are missing: python -m site_app db upgrade",
    ORPHANED_LOG: "SQLite would delete the log, which holds the last commits: put the file back beside it, or restore a backup.",
    "unable to open": "The file cannot be opened: look at the owner and the rights of SITE_VAR, such as: chown site /var/lib/site.",
}


class DatabaseProblem(NamedTuple):
    """Says why a lead sent now would not be stored: a public sentence, and the database's own message for the log."""

    sentence: str
    message: str = ""


async def database_problem(store: Store, *, seconds: float = MAX_DATABASE_SECONDS) -> DatabaseProblem | None:
    """Writes, commits and reads back a value. Returns None if that works, else the problem."""
    try:
        async with asyncio.timeout(seconds):
            count = await store.write(write_probe)
            if store.file:
                return await asyncio.to_thread(problem_of_file, store.file, count)
    except TimeoutError:
        return DatabaseProblem(_TOO_SLOW.format(seconds=seconds))
    except StoreUnavailable as error:
        return problem_of_message(str(error))
    return None


def write_probe(session: Session) -> int:
    """Writes a value that nothing else reads. On SQLite it is a counter in the file's header, which is returned."""
    connection = session.connection()
    if connection.dialect.name != "sqlite":
        connection.execute(text("UPDATE alembic_version SET version_num = version_num"))
        return 0
    count = (connection.exec_driver_sql("PRAGMA user_version").scalar_one() + 1) % 2**31
    connection.exec_driver_sql(f"PRAGMA user_version = {count}")
    return count


def problem_of_file(file: DatabaseFile, count: int) -> DatabaseProblem | None:
    """Returns the problem of the file on the disk, or None; a new connection is used because it has nothing cached."""
    if not file.is_in_place():
        return DatabaseProblem(MOVED)
    if not (file.path.stat().st_mode & 0o222 and os.access(file.path, os.W_OK)):
        return DatabaseProblem(_PROBLEMS["readonly"])
    try:
        damage = _damage_of(file.path, count)
    except sqlite3.Error as error:
        return problem_of_message(str(error))
    return DatabaseProblem(damage) if damage else None


def problem_of_message(message: str) -> DatabaseProblem:
    """Returns the problem that the database reports by this message."""
    if message == MOVED:
        return DatabaseProblem(MOVED)
    return DatabaseProblem(what_to_do(message) or _SEE_LOG, message)


def what_to_do(error: str) -> str:
    """Returns what an operator can do about a database's error message, or "" if the message is unknown."""
    return next((sentence for part, sentence in _PROBLEMS.items() if part in error.lower()), "")


def _damage_of(path: Path, count: int) -> str:
    """Returns a sentence about the damage, or "". A check that takes too long counts as passed."""
    with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=_MAX_CHECK_SECONDS)) as connection:
        stored_count = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.execute("SELECT version_num FROM alembic_version").fetchone()
        if (count - stored_count) % 2**31 < 2**30 and stored_count != count:
            return MOVED  # the new value is missing: the file or its write-ahead log was replaced
        deadline = time.monotonic() + _MAX_CHECK_SECONDS
        connection.set_progress_handler(lambda: time.monotonic() > deadline, 100_000)
        try:
            damage = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        except sqlite3.OperationalError as error:
            if "interrupted" not in str(error):
                raise
            damage = "ok"
    return "" if damage == "ok" else _DAMAGED_ADVICE
