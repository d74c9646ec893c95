"""Every connection keeps what it has acknowledged, and erases what it erases."""

from pathlib import Path

import pytest
from sqlalchemy import PoolProxiedConnection

from site_app.store.engine import open_engine

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
def test_every_connection_to_sqlite_keeps_the_promises(tmp_path: Path, read_only: bool) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'site.db'}", read_only=read_only, connections=2)

    connections = [engine.raw_connection() for _ in range(2)]  # without the transaction that each begins with

    for connection in connections:
        assert {name: _pragma(connection, name) for name in PROMISES} == PROMISES
        connection.close()
    engine.dispose()


def test_a_database_in_memory_is_refused() -> None:
    with pytest.raises(ValueError, match="kept in a file"):
        open_engine("sqlite:///:memory:")
