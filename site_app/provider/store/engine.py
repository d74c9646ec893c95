"""The database behind its address: SQLite by default, PostgreSQL by setting."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DisconnectionError

BUSY_TIMEOUT_MS = 5000
_BY_OWNER_ALONE, _TO_OTHERS = 0o600, 0o077
_A_MOMENT = 0.1  # seconds; a server takes longer to restart
# PostgreSQL's own waits have no end: a lock as long as on SQLite, a server that is not there or went silent about as long.
_PATIENCE = {
    "connect_timeout": "5",
    "tcp_user_timeout": "10000",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "2",
    "options": f"-c lock_timeout={BUSY_TIMEOUT_MS}",
}


def database_url(url: str, var: Path) -> str:
    """The address the settings mean: the given one, or the file in the directory of what the site keeps."""
    return url or f"sqlite:///{(var / 'site.db').absolute()}"


def open_engine(url: str, *, read_only: bool = False, connections: int = 8) -> Engine:
    """An engine whose commits survive a power cut; on SQLite a writing transaction takes the lock as it begins."""
    address = make_url(url)
    if address.get_backend_name() != "sqlite":
        reading = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True} if read_only else {}
        patience = {name: value for name, value in _PATIENCE.items() if name not in address.query}
        engine = create_engine(
            address, pool_size=connections, max_overflow=0, pool_timeout=5, connect_args=patience, execution_options=reading
        )
        _ping_idle(engine)
        return engine
    file = Path(address.database or "")
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # The connection used last is used next: each caches pages of the file, and used in turn all would cache the same ones.
    engine = create_engine(
        address, pool_size=connections, max_overflow=0, pool_use_lifo=True, connect_args={"check_same_thread": False}
    )
    event.listen(engine, "connect", lambda *_: _keep_to_owner(file))
    event.listen(engine, "connect", _reading if read_only else _durable)
    event.listen(engine, "begin", _begin_deferred if read_only else _begin_immediate)
    return engine


@contextmanager
def brief_engine(url: str, *, read_only: bool = False) -> Iterator[Engine]:
    """An engine of one connection, closed where the block ends: for commands, migrations and copies."""
    engine = open_engine(url, read_only=read_only, connections=1)
    try:
        yield engine
    finally:
        engine.dispose()


def _keep_to_owner(file: Path) -> None:
    """Let nobody but the owner read the file, whatever the umask; SQLite gives its log and index the same permissions."""
    for one in (file, *(file.with_name(file.name + ending) for ending in ("-wal", "-shm"))):
        with suppress(OSError):  # not there, of another user, or on a disk that cannot be written
            if one.stat().st_mode & _TO_OTHERS:
                one.chmod(_BY_OWNER_ALONE)


def empty_log(engine: Engine, *, patience_ms: int = 100) -> bool:
    """On SQLite, move the write-ahead log into the database file and cut it to nothing; False while somebody reads an older state.

    Erased rows are overwritten in the file (secure_delete), but the log holds earlier states of it. Nobody can write while this
    waits for readers, so it does not wait for long.
    """
    if engine.dialect.name != "sqlite":
        return True
    connection = engine.raw_connection()
    try:
        run: Any = connection.execute  # pyright: ignore[reportAttributeAccessIssue]
        run(f"PRAGMA busy_timeout={patience_ms}")
        is_held_back, *_ = run("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        run(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    except engine.dialect.loaded_dbapi.OperationalError:  # locked, or the disk is full: the next sweep tries again
        return False
    finally:
        connection.close()
    return not is_held_back


def _ping_idle(engine: Engine) -> None:
    """Ping a connection before it is used, unless it was used a moment ago.

    SQLAlchemy's own `pool_pre_ping` asks each time, which is a sixth of a submission's statements.
    """

    def note(_connection: Any, record: Any) -> None:
        record.info["used_at"] = time.monotonic()

    def ask(connection: Any, record: Any, _lent: object) -> None:
        if time.monotonic() - record.info.get("used_at", time.monotonic()) < _A_MOMENT:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise DisconnectionError from error  # the pool opens another one in its place

    event.listen(engine, "checkin", note)
    event.listen(engine, "checkout", ask)


def _durable(connection: Any, _record: object) -> None:
    # Python's sqlite3 would begin transactions by itself, and too late, so BEGIN is sent by us.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA secure_delete=ON")  # what was erased is overwritten, not only unlinked


def _reading(connection: Any, record: object) -> None:
    _durable(connection, record)
    connection.execute("PRAGMA query_only=ON")


def _begin_immediate(connection: Any) -> None:
    # A deferred transaction that reads first and writes later is refused at once when another wrote in between.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_deferred(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN")
