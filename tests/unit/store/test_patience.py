"""On PostgreSQL as on SQLite, a busy or missing database is a bounded wait with a clear refusal."""

import time
from typing import Any

import pytest
from sqlalchemy import text

from site_app.provider.store import Store, StoreUnavailable, open_engine
from site_app.provider.store.tables import Hold
from tests.support.databases import SERVER

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(not SERVER, reason="about PostgreSQL's waits")]


async def test_a_write_behind_a_foreign_lock_is_refused_within_seconds(url: str, store: Store) -> None:
    other_engine = open_engine(url, connections=1)
    with other_engine.begin() as connection:
        connection.execute(text("LOCK TABLE hold"))
        began = time.monotonic()

        with pytest.raises(StoreUnavailable):
            await store.write(lambda session: session.connection().execute(Hold.__table__.delete()))  # pyright: ignore

        waited = time.monotonic() - began
    other_engine.dispose()
    assert 4 <= waited <= 8


async def test_a_cut_connection_is_refused_once_and_then_replaced(url: str, store: Store) -> None:
    def cut_connections(session) -> None:
        sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        session.connection().execute(text(sql))

    with pytest.raises(StoreUnavailable):
        await store.write(cut_connections)

    assert await store.write(lambda session: session.connection().execute(text("SELECT 1")).scalar()) == 1
    assert await store.read(lambda session: session.connection().execute(text("SELECT 1")).scalar()) == 1


@pytest.mark.parametrize(("idle_seconds", "expected"), [(60.0, 0), (0.0, 1)])
def test_only_an_idle_connection_is_checked_before_use(
    url: str, monkeypatch: pytest.MonkeyPatch, idle_seconds: float, expected: int
) -> None:
    monkeypatch.setattr("site_app.provider.store.engine._PING_AFTER_IDLE_SECONDS", idle_seconds)
    engine, times = open_engine(url, connections=1), 0
    ping = engine.dialect.do_ping

    def counting(connection: Any) -> bool:
        nonlocal times
        times += 1
        return ping(connection)

    monkeypatch.setattr(engine.dialect, "do_ping", counting)
    for _ in range(2):
        engine.connect().close()

    engine.dispose()
    assert times == expected


async def test_a_stale_connection_is_replaced(url: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site_app.provider.store.engine._PING_AFTER_IDLE_SECONDS", 0.0)
    await store.write(lambda session: session.connection().execute(text("SELECT 1")).scalar())
    other_engine = open_engine(url, connections=1)
    with other_engine.begin() as connection:
        sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        connection.execute(text(f"{sql} AND pid <> pg_backend_pid()"))
    other_engine.dispose()

    assert await store.write(lambda session: session.connection().execute(text("SELECT 1")).scalar()) == 1
