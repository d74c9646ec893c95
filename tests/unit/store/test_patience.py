"""On PostgreSQL as on SQLite, a database that is busy or away is a clear wait."""

import time

import pytest
from sqlalchemy import text

from site_app.store import Store, StoreUnavailable, open_engine
from site_app.store.tables import Hold
from tests.databases import SERVER

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(not SERVER, reason="about PostgreSQL's waits")]


async def test_a_lock_that_another_keeps_is_a_refusal_within_seconds(url: str, store: Store) -> None:
    other = open_engine(url, connections=1)
    with other.begin() as connection:
        connection.execute(text("LOCK TABLE hold"))
        began = time.monotonic()

        with pytest.raises(StoreUnavailable):
            await store.write(lambda session: session.connection().execute(Hold.__table__.delete()))  # pyright: ignore

        waited = time.monotonic() - began
    other.dispose()
    assert 4 <= waited <= 8


async def test_connections_that_were_cut_are_a_refusal_and_the_next_ones_are_new(url: str, store: Store) -> None:
    def cut_off(session) -> None:
        mine = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        session.connection().execute(text(mine))

    with pytest.raises(StoreUnavailable):
        await store.write(cut_off)

    assert await store.write(lambda session: session.connection().execute(text("SELECT 1")).scalar()) == 1
    assert await store.read(lambda session: session.connection().execute(text("SELECT 1")).scalar()) == 1
