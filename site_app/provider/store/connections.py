"""Runs database jobs off the event loop: through the one writer on SQLite, in threads on PostgreSQL, and some readers on both."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import DatabaseError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as NoFreeConnection
from sqlmodel import Session

from site_app.provider.store.engine import DatabaseFile, DatabaseMoved, empty_log, open_engine
from site_app.provider.store.writer import GatheringWriter, one_by_one

T = TypeVar("T")
Item = TypeVar("Item")
Job = Callable[[Session], T]
THREADS = 4
_BURST_WRITES = 3  # simultaneous writes: more than a single visitor causes
_BUSY_AFTER_BURST_SECONDS = 0.25
# PostgreSQL raises InternalError on a server that takes no writes, such as one that was replaced by its standby.
_UNAVAILABLE = (OperationalError, InterfaceError, InternalError, NoFreeConnection, DatabaseMoved)


class StoreUnavailable(Exception):
    """The database is locked, full, damaged, read-only or gone. Nothing of the job was stored; it may be tried again."""


class Store:
    """The database connections of one process. A job is a function of a session; its result must be usable without the session."""

    def __init__(self, url: str) -> None:
        self._write_engine = open_engine(url, connections=THREADS)
        self._read_engine = open_engine(url, connections=THREADS, read_only=True)
        self.file = (
            DatabaseFile(Path(self._write_engine.url.database or "")) if self._write_engine.dialect.name == "sqlite" else None
        )
        if self.file:
            self.file.guard(self._write_engine)
            self.file.guard(self._read_engine)
        self._threads = ThreadPoolExecutor(2 * THREADS, thread_name_prefix="store")
        self._writer = GatheringWriter(self._write_engine)
        self._pending_writes = 0
        self._last_burst_at = -1.0
        self._changes = 0
        self._shared_reads_key = (0, 0)  # changes and second in which the shared reads began
        self._shared_reads: dict[Hashable, asyncio.Future[Any]] = {}

    async def write(self, job: Job[T]) -> T:
        """Runs the job in a transaction and returns its result after the commit. An exception means that nothing was stored."""
        # SQLite has one writer at a time: instead of waiting for its lock, jobs are committed in batches.
        result = self._writer.run(one_by_one, job) if self.file else self._in_thread(self._write_engine, job)
        try:
            return await self._awaited(result)
        finally:
            self._changes += 1

    async def write_together(self, batch: Callable[[Session, Sequence[Item]], Sequence[T]], item: Item) -> T:
        """Writes the item together with those of other callers: `batch` stores them in one commit and returns a result for each.

        If it raises, every item is tried again by itself, and only the caller of the failing item gets the exception.
        """
        return await self._awaited(self._writer.run(batch, item))

    async def _awaited(self, result: Awaitable[T]) -> T:
        """Counts the pending write, and turns the database's errors into StoreUnavailable."""
        self._pending_writes += 1
        if self._pending_writes >= _BURST_WRITES:
            self._last_burst_at = time.monotonic()
        try:
            with _as_unavailable():
                return await result
        finally:
            self._pending_writes -= 1

    async def read(self, job: Job[T]) -> T:
        """Runs the job on one snapshot of the database. It must not write."""
        with _as_unavailable():
            return await self._in_thread(self._read_engine, job)

    async def read_for_all(self, name: Hashable, job: Job[T]) -> T:
        """Shares one read of this name between all callers of the same second, until this process writes.

        A write of another process is seen at most a second later.
        """
        key = self._changes, int(time.monotonic())
        if key != self._shared_reads_key:
            self._shared_reads_key = key
            self._shared_reads = {}
        if name not in self._shared_reads:
            self._shared_reads[name] = asyncio.ensure_future(self.read(job))
        return await asyncio.shield(self._shared_reads[name])  # a caller that is cancelled must not cancel the others

    async def forget_erased(self) -> bool:
        """Removes erased data from all files of the database. Returns False if a reader on SQLite still needs an old copy."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, empty_log, self._read_engine)

    @property
    def busy(self) -> bool:
        """True shortly after a burst of writes: work that can wait should wait then."""
        return time.monotonic() - self._last_burst_at < _BUSY_AFTER_BURST_SECONDS

    def close(self) -> None:
        """Finishes the pending jobs, then closes all connections."""
        self._writer.close()
        self._threads.shutdown()
        self._read_engine.dispose()
        self._write_engine.dispose()

    async def _in_thread(self, engine: Engine, job: Job[T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, in_transaction, engine, job)


@contextmanager
def _as_unavailable() -> Iterator[None]:
    """Raises errors of the database itself as StoreUnavailable; errors of a job pass."""
    try:
        yield
    except (*_UNAVAILABLE, DatabaseError) as error:
        if not _is_unavailable(error):
            raise
        raise StoreUnavailable(str(getattr(error, "orig", error))) from error


def _is_unavailable(error: Exception) -> bool:
    """Returns True for errors of the database itself.

    SQLite raises a bare DatabaseError for a damaged file. Subclasses such as IntegrityError belong to the job.
    """
    return isinstance(error, _UNAVAILABLE) or type(error) is DatabaseError


def in_transaction(engine: Engine, job: Job[T]) -> T:
    """Runs the job in a transaction of its own in this thread: for commands, and for databases with several writers."""
    with Session(engine, expire_on_commit=False) as session, session.begin():
        return job(session)
