"""Two transactions in a chosen order: one waits for the other's locks, which SQLite, with its one writer, does not have."""

import asyncio
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy import text
from sqlmodel import Session

from site_app.provider.store import Store, brief_engine

T = TypeVar("T")
_WAITING = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")


@contextmanager
def another_process(url: str) -> Iterator[Session]:
    """Yields a session with a connection of its own. It commits when the test says so."""
    with brief_engine(url) as engine, Session(engine, expire_on_commit=False) as session:
        yield session


async def commit_when_awaited(session: Session, store: Store, running: Awaitable[T]) -> T:
    """Commits the session once `running` waits for its locks, or has ended without. Returns what `running` returns."""
    task = asyncio.ensure_future(running)
    while not await store.read(_is_anybody_waiting):
        has_ended, _ = await asyncio.wait([task], timeout=0.01)
        if has_ended:
            break
    session.commit()
    return await task


def _is_anybody_waiting(session: Session) -> bool:
    return bool(session.connection().execute(_WAITING).scalar())
