"""Every connection keeps acknowledged writes, and really removes erased data."""

import os
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import PoolProxiedConnection
from sqlalchemy.exc import OperationalError

from site_app.provider.store.engine import DatabaseFile, DatabaseMoved, brief_engine, empty_log, open_engine
from tests.support.databases import ON_SQLITE

PROMISES: dict[str, str | int] = {
    "journal_mode": "wal",
    "synchronous": 2,
    "busy_timeout": 5000,
    "foreign_keys": 1,
    "secure_delete": 1,
}


def _pragma(connection: PoolProxiedConnection, name: str) -> str | int:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA {name}")
    (value,) = cursor.fetchone() or ("",)
    return value


@pytest.mark.parametrize("read_only", [False, True])
def test_every_sqlite_connection_has_the_required_pragmas(tmp_path: Path, read_only: bool) -> None:
    (tmp_path / "site.db").touch()
    engine = open_engine(f"sqlite:///{tmp_path / 'site.db'}", read_only=read_only, connections=2)

    connections = [engine.raw_connection() for _ in range(2)]  # without the transaction that each connection begins with

    for connection in connections:
        assert {name: _pragma(connection, name) for name in PROMISES} == PROMISES
        connection.close()
    engine.dispose()


@ON_SQLITE
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o027])
def test_the_database_and_its_log_are_private_with_any_umask(tmp_path: Path, umask: int) -> None:
    file = tmp_path / "var" / "site.db"
    umask_before = os.umask(umask)
    try:
        engine = open_engine(f"sqlite:///{file}", may_create=True)
        with engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE note (text)")
            modes = {path.name: path.stat().st_mode & 0o777 for path in (file.parent, *file.parent.iterdir())}
        engine.dispose()
    finally:
        os.umask(umask_before)

    assert modes == {"var": 0o700, "site.db": 0o600, "site.db-wal": 0o600, "site.db-shm": 0o600}


@ON_SQLITE
def test_a_readable_database_becomes_private_at_the_next_start(tmp_path: Path) -> None:
    file = tmp_path / "site.db"
    for path in (file, tmp_path / "site.db-wal"):
        path.touch()
        path.chmod(0o644)

    engine = open_engine(f"sqlite:///{file}")
    engine.connect().close()
    engine.dispose()

    assert file.stat().st_mode & 0o777 == 0o600


@ON_SQLITE
def test_the_log_is_emptied_unless_somebody_reads_an_older_state(tmp_path: Path) -> None:
    file = tmp_path / "site.db"
    engine = open_engine(f"sqlite:///{file}", may_create=True)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE note (text)")
    reader = sqlite3.connect(file, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM note").fetchall()
    with engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO note VALUES ('canary')")
        connection.exec_driver_sql("DELETE FROM note")

    held_back = empty_log(engine)
    reader.close()
    emptied = empty_log(engine)
    engine.dispose()

    assert (held_back, emptied) == (False, True)
    assert b"canary" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


@ON_SQLITE
@pytest.mark.parametrize("is_replaced", [False, True], ids=["moved", "replaced"])
def test_no_connection_opens_another_file_if_the_database_moves_just_after_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_replaced: bool
) -> None:
    """An empty file in its place would make SQLite drop the log beside it; a connection to another file would stay in the pool."""
    path, aside = tmp_path / "site.db", tmp_path / "aside.db"
    url = f"sqlite:///{path}"
    with open_engine(url, may_create=True).begin() as connection:
        connection.exec_driver_sql("CREATE TABLE note (text)")
    engine, file = open_engine(url), DatabaseFile(path)
    file.guard(engine)
    results = iter([True])  # of the check before the connection is opened; later ones are real
    check = file.is_in_place

    def move_after_check() -> bool:
        if not next(results, False):
            return check()
        path.rename(aside)
        if is_replaced:
            path.touch()
        return True

    monkeypatch.setattr(file, "is_in_place", move_after_check)
    with pytest.raises((OperationalError, DatabaseMoved)):
        engine.connect()
    assert path.exists() == is_replaced

    aside.rename(path)
    with engine.begin() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM note").scalar() == 0
    engine.dispose()


@ON_SQLITE
@pytest.mark.parametrize("read_only", [False, True])
def test_a_missing_database_is_an_error_and_not_a_new_file(tmp_path: Path, read_only: bool) -> None:
    with brief_engine(f"sqlite:///{tmp_path / 'site.db'}", read_only=read_only) as engine, pytest.raises(OperationalError):
        engine.connect()

    assert list(tmp_path.iterdir()) == []


@ON_SQLITE
@pytest.mark.parametrize(("suffix", "remains"), [("-wal", None), ("-wal", b""), ("-journal", None)])
@pytest.mark.parametrize("may_create", [False, True])
def test_the_log_of_a_database_that_was_moved_away_is_never_deleted(
    tmp_path: Path, suffix: str, remains: bytes | None, may_create: bool
) -> None:
    """SQLite deletes the log beside a file that it has just created, and the log holds the last commits."""
    (tmp_path / f"site.db{suffix}").write_bytes(b"the last commits")
    if remains is not None:
        (tmp_path / "site.db").write_bytes(remains)

    with (
        brief_engine(f"sqlite:///{tmp_path / 'site.db'}", may_create=may_create) as engine,
        pytest.raises(OperationalError, match="its log is there"),
    ):
        engine.connect()

    assert (tmp_path / f"site.db{suffix}").read_bytes() == b"the last commits"
    assert (tmp_path / "site.db").exists() == (remains is not None)
