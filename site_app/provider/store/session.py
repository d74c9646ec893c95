"""Sessions off the event loop: one writer that commits what has gathered, a few readers and, on PostgreSQL, a few writers more."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import DatabaseError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as NoFreeConnection
from sqlmodel import Session

from site_app.provider.store.database_file import DatabaseFile, DatabaseMoved
from site_app.provider.store.engine import empty_log, open_engine
from site_app.provider.store.writer import GatheringWriter, one_by_one

T = TypeVar("T")
Item = TypeVar("Item")
Job = Callable[[Session], T]
THREADS = 4
_MANY = 3  # writes at once: more than one visitor at a time
_LATELY = 0.25  # seconds
# An InternalError is PostgreSQL's for a server that takes no writes, as one does that has been replaced by another.
_TROUBLE = (OperationalError, InterfaceError, InternalError, NoFreeConnection, DatabaseMoved)


class StoreUnavailable(Exception):
    """The database is locked, full, damaged, read-only or gone: nothing of the job was kept, and it may be tried again."""


class Store:
    """The database of one process; a job is a function of a session, and what it returns must need no session."""

    def __init__(self, url: str) -> None:
        self._writing = open_engine(url, connections=THREADS)
        self._reading = open_engine(url, connections=THREADS, read_only=True)
        self.file = DatabaseFile(Path(self._writing.url.database or "")) if self._writing.dialect.name == "sqlite" else None
        if self.file:
            self.file.guard(self._writing)
            self.file.guard(self._reading)
        self._threads = ThreadPoolExecutor(2 * THREADS, thread_name_prefix="store")
        self._writer = GatheringWriter(self._writing)
        self._writes, self._many_at = 0, -1.0
        self._changes, self._moment = 0, (0, 0)
        self._read_at_this_moment: dict[Hashable, asyncio.Future[Any]] = {}

    async def write(self, job: Job[T]) -> T:
        """Run the job in a transaction; the answer comes after the commit, an exception means nothing was kept."""
        # SQLite takes one writer at a time: many would wait on its lock, one commits for all that have gathered.
        done = self._writer.run(one_by_one, job) if self.file else self._in_thread(self._writing, job)
        try:
            return await self._written(done)
        finally:
            self._changes += 1

    async def write_together(self, many: Callable[[Session, Sequence[Item]], Sequence[T]], item: Item) -> T:
        """The same for what comes often: `many` keeps the items of all callers who come at one moment in one commit.

        Where an item is refused, each is tried again by itself, and only that one's caller gets the exception.
        """
        return await self._written(self._writer.run(many, item))

    async def _written(self, done: Awaitable[T]) -> T:
        self._writes += 1
        if self._writes >= _MANY:
            self._many_at = time.monotonic()
        try:
            return await done
        except (*_TROUBLE, DatabaseError) as error:
            if not _is_trouble(error):
                raise
            raise StoreUnavailable(str(getattr(error, "orig", error))) from error
        finally:
            self._writes -= 1

    async def read(self, job: Job[T]) -> T:
        """Run the job on one snapshot of the database; it must not write."""
        try:
            return await self._in_thread(self._reading, job)
        except (*_TROUBLE, DatabaseError) as error:
            if not _is_trouble(error):
                raise
            raise StoreUnavailable(str(getattr(error, "orig", error))) from error

    async def read_for_all(self, name: Hashable, job: Job[T]) -> T:
        """The same, read once for all who ask for this name within a second, unless a `write` of this process comes between.

        What another process writes is seen a second later at most.
        """
        moment = self._changes, int(time.monotonic())
        if moment != self._moment:
            self._moment, self._read_at_this_moment = moment, {}
        if name not in self._read_at_this_moment:
            self._read_at_this_moment[name] = asyncio.ensure_future(self.read(job))
        return await asyncio.shield(self._read_at_this_moment[name])  # whoever leaves leaves the others their answer

    async def forget_erased(self) -> bool:
        """Whether erased words stand in no file of the database any more; on SQLite a reader can hold copies back."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, empty_log, self._reading)

    @property
    def busy(self) -> bool:
        """Whether writes have come many at a time lately; what is in no hurry then does well to wait."""
        return time.monotonic() - self._many_at < _LATELY

    def close(self) -> None:
        """Finish what was asked for, then let go of the database."""
        self._writer.close()
        self._threads.shutdown()
        self._reading.dispose()
        self._writing.dispose()

    async def _in_thread(self, engine: Engine, job: Job[T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, in_transaction, engine, job)


def _is_trouble(error: Exception) -> bool:
    """SQLite says of a damaged file only DatabaseError; its subclasses, such as a row that is there already, are the job's own."""
    return isinstance(error, _TROUBLE) or type(error) is DatabaseError


def in_transaction(engine: Engine, job: Job[T]) -> T:
    """Run the job in a transaction of its own, in this thread: for commands, and for databases with many writers."""
    with Session(engine, expire_on_commit=False) as session, session.begin():
        return job(session)
