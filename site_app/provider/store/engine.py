"""Opens the database: SQLite by default, PostgreSQL if SITE_DATABASE_URL names one.

Notices when the SQLite file that a process has opened was moved, deleted or replaced; SQLite itself does not.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DisconnectionError

MOVED = "The file has been moved, deleted or replaced since the start: put it back, or start the site again."
ORPHANED_LOG = "the database is missing or empty, but its log is there"


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
        """Checks the file around each new connection and before each transaction."""

        def check(*_: Any) -> None:
            if not self.is_in_place():
                raise DatabaseMoved

        event.listen(engine, "do_connect", check, insert=True)
        event.listen(engine, "connect", check, insert=True)  # the file may have been replaced since
        event.listen(engine, "begin", check, insert=True)


def _identity(path: Path) -> tuple[int, int] | None:
    """Returns the device and inode of the file, or None if there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


BUSY_TIMEOUT_MS = 5000
_OWNER_ONLY = 0o600
_GROUP_AND_OTHERS = 0o077
_PING_AFTER_IDLE_SECONDS = 0.1  # a server takes longer to restart, so a connection used more recently still works
# PostgreSQL waits for ever by default. Wait for a lock as long as on SQLite, and for a lost server about as long.
_POSTGRESQL_TIMEOUTS = {
    "connect_timeout": "5",
    "tcp_user_timeout": "10000",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "2",
    "options": f"-c lock_timeout={BUSY_TIMEOUT_MS}",
}


def database_url(url: str, var: Path) -> str:
    """Returns the configured address, or that of the SQLite file in the site's data directory."""
    return url or f"sqlite:///{(var / 'site.db').absolute()}"


def open_engine(url: str, *, read_only: bool = False, connections: int = 8, may_create: bool = False) -> Engine:
    """Returns an engine whose commits survive a power cut. On SQLite a writing transaction takes the lock when it begins.

    A missing SQLite file is an error unless it `may_create` one: an empty file in the place of a moved one would make SQLite delete
    the write-ahead log beside it, with the last commits.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True} if read_only else {}
        timeouts = {name: value for name, value in _POSTGRESQL_TIMEOUTS.items() if name not in parsed.query}
        engine = create_engine(
            parsed, pool_size=connections, max_overflow=0, pool_timeout=5, connect_args=timeouts, execution_options=options
        )
        _ping_idle(engine)
        return engine
    file = Path(parsed.database or "")
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Last in, first out: each connection caches pages of the file, and taking turns would cache the same pages in all of them.
    engine = create_engine(
        parsed, pool_size=connections, max_overflow=0, pool_use_lifo=True, connect_args={"check_same_thread": False}
    )
    _keep_log(engine, file, may_create=may_create)
    event.listen(engine, "connect", lambda *_: _restrict_to_owner(file))
    event.listen(engine, "connect", _set_up_reader if read_only else _set_up_writer)
    event.listen(engine, "begin", _begin_deferred if read_only else _begin_immediate)
    return engine


@contextmanager
def brief_engine(url: str, *, read_only: bool = False, may_create: bool = False) -> Iterator[Engine]:
    """Opens an engine of one connection for the length of the block: for commands, migrations and copies."""
    engine = open_engine(url, read_only=read_only, connections=1, may_create=may_create)
    try:
        yield engine
    finally:
        engine.dispose()


def _keep_log(engine: Engine, file: Path, *, may_create: bool) -> None:
    """Refuses a connection at which SQLite would delete the log of a missing or empty database."""

    def set_mode(_dialect: object, _record: object, arguments: list[Any], options: dict[str, Any]) -> None:
        if _has_orphaned_log(file):
            raise sqlite3.OperationalError(ORPHANED_LOG)
        arguments[0] = f"{file.absolute().as_uri()}?mode={'rwc' if may_create else 'rw'}"
        options["uri"] = True

    event.listen(engine, "do_connect", set_mode)


def _has_orphaned_log(file: Path) -> bool:
    """Returns True if there is a log with commits, but its database is missing or empty.

    Looks for the logs first: another process that creates the database just now writes to it before there is a write-ahead log.
    """
    has_wal, has_journal = (_size(file.with_name(f"{file.name}{suffix}")) > 0 for suffix in ("-wal", "-journal"))
    size = _size(file)
    return (has_wal and size <= 0) or (has_journal and size < 0)


def _size(file: Path) -> int:
    """Returns the size of the file, or -1 if there is none to be seen."""
    try:
        return file.stat().st_size
    except OSError:  # missing, or in a folder that may not be read: SQLite then reports it
        return -1


def _restrict_to_owner(file: Path) -> None:
    """Lets only the owner read the file, whatever the umask. SQLite gives new files beside it the same permissions."""
    for path in (file, *(file.with_name(file.name + ending) for ending in ("-wal", "-shm"))):
        with suppress(OSError):  # missing, owned by another user, or on a read-only disk
            if path.stat().st_mode & _GROUP_AND_OTHERS:
                path.chmod(_OWNER_ONLY)


def empty_log(engine: Engine, *, patience_ms: int = 100) -> bool:
    """Moves SQLite's write-ahead log into the database file and truncates it. Returns False while a reader needs an older state.

    Erased rows are overwritten in the file (secure_delete), but the log still holds earlier pages. Writers are blocked while this
    waits for readers, so the wait is short.
    """
    if engine.dialect.name != "sqlite":
        return True
    connection = engine.raw_connection()
    try:
        execute: Any = connection.execute  # pyright: ignore[reportAttributeAccessIssue]
        execute(f"PRAGMA busy_timeout={patience_ms}")
        is_held_back, *_ = execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    except engine.dialect.loaded_dbapi.OperationalError:  # locked, or the disk is full: the next sweep tries again
        return False
    finally:
        connection.close()
    return not is_held_back


def _ping_idle(engine: Engine) -> None:
    """Pings an idle connection before it is used again.

    SQLAlchemy's own `pool_pre_ping` pings every time, which would be a sixth of a submission's statements.
    """

    def remember_use(_connection: Any, record: Any) -> None:
        record.info["used_at"] = time.monotonic()

    def ping_if_idle(connection: Any, record: Any, _proxy: object) -> None:
        if time.monotonic() - record.info.get("used_at", time.monotonic()) < _PING_AFTER_IDLE_SECONDS:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise DisconnectionError from error  # the pool then opens a new connection

    event.listen(engine, "checkin", remember_use)
    event.listen(engine, "checkout", ping_if_idle)


def _set_up_writer(connection: Any, _record: object) -> None:
    # Python's sqlite3 would begin transactions by itself, and too late: `_begin_immediate` does it instead.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA secure_delete=ON")  # overwrites erased rows instead of only unlinking them


def _set_up_reader(connection: Any, record: object) -> None:
    _set_up_writer(connection, record)
    connection.execute("PRAGMA query_only=ON")


def _begin_immediate(connection: Any) -> None:
    # A deferred transaction that reads, then writes, fails at once if another connection wrote in between.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_deferred(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN")
