"""Sessions off the event loop: one writer that commits in groups, a few readers; and statements that mean the same on SQLite
and PostgreSQL.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast
from zlib import crc32

from sqlalchemy import Engine, insert, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DatabaseError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as NoFreeConnection
from sqlmodel import Session, SQLModel

from site_app.provider.store.database_file import DatabaseFile, DatabaseMoved
from site_app.provider.store.engine import empty_log, open_engine
from site_app.provider.store.writer import GatheringWriter, one_by_one

_OURS = 72_616  # any constant: PostgreSQL's advisory locks are numbers, shared by whoever uses the database
_LOCKS = text("SELECT pg_advisory_xact_lock(:ours, lock) FROM unnest(CAST(:locks AS integer[])) AS lock")


def insert_statement(session: Session, table: type[SQLModel]) -> Any:
    """The dialect's own INSERT, which knows ON CONFLICT and how many rows went in."""
    return _counting(session.get_bind().dialect.name, table)


def insert_if_new(session: Session, table: type[SQLModel], row: Mapping[str, Any]) -> bool:
    """Insert the row unless one with a key of it is there; waits for a rival's commit, and says whether it went in."""
    dialect, kind = session.get_bind().dialect.name, cast(Hashable, table)
    done = session.connection().execute(_insert_or_not(dialect, kind), dict(row))
    return done.rowcount == 1


def insert_new_rows(session: Session, table: type[SQLModel], column: str, rows: Sequence[Mapping[str, Any]]) -> set[Any]:
    """The same for many rows of one shape; returns this column of those that went in."""
    statement = _insert_or_not(session.get_bind().dialect.name, cast(Hashable, table), column)
    return set(session.connection().execute(statement, rows).scalars())


def insert_rows(session: Session, table: type[SQLModel], rows: Sequence[SQLModel]) -> None:
    """Insert rows that nobody will change in this session, without what they are to get from the database."""
    if rows:
        session.connection().execute(_insert(cast(Hashable, table)), [row.model_dump(exclude={"id"}) for row in rows])


@cache
def _insert(table: Any) -> Any:
    return insert(table)


@cache
def _insert_or_not(dialect: str, table: Any, returned: str = "") -> Any:
    # Made once: SQLAlchemy knows a statement again by its identity faster than by its looks.
    statement = _counting(dialect, table).on_conflict_do_nothing()
    return statement.returning(getattr(table, returned)) if returned else statement


def _counting(dialect: str, table: type[SQLModel]) -> Any:
    # Unasked, SQLAlchemy 2.1 forgets the count of an INSERT on PostgreSQL and says -1.
    statement = (postgresql if dialect == "postgresql" else sqlite).insert(table)
    return statement.execution_options(preserve_rowcount=True)


def advisory_lock(session: Session, *names: str) -> None:
    """Wait until no other transaction holds any of these locks, and hold them until this one ends."""
    if session.get_bind().dialect.name == "postgresql":  # SQLite lets one write at a time anyway
        # In one order everywhere, so that no two transactions wait for each other.
        numbers = sorted({crc32(name.encode()) - 2**31 for name in names})
        session.connection().execute(_LOCKS, {"ours": _OURS, "locks": numbers})


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
