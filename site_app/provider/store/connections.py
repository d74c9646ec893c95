"""Runs database jobs off the event loop: through the one writer on SQLite, in threads on PostgreSQL, and some readers on both.

The writer is a thread that commits many small jobs together: each commit takes all jobs that arrived during the previous one.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import DatabaseError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as NoFreeConnection
from sqlmodel import Session

from site_app.provider.store.engine import DatabaseFile, DatabaseMoved, empty_log, open_engine

MAX_TASKS_PER_COMMIT = 256

# Errors of the database itself, which may have rolled back the whole transaction.
_DATABASE_ERRORS = (OperationalError, InterfaceError)

# Stores the items of many callers with few statements, and returns a result for each.
Batch = Callable[[Session, Sequence[Any]], Sequence[Any]]


@dataclass(slots=True)
class _WriteTask:
    batch: Batch
    item: Any
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class GatheringWriter:
    """Returns results only after their commit. A failing task rolls back its own rows only.

    A task may run twice before its result is returned, so it must not change anything outside its session.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: SimpleQueue[_WriteTask | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    async def run(self, batch: Batch, item: Any) -> Any:
        """Runs the batch function with this item among others, and returns the item's result."""
        loop = asyncio.get_running_loop()
        task = _WriteTask(batch, item, loop, loop.create_future())
        self._waiting.put(task)
        return await task.future

    def close(self) -> None:
        """Commits the waiting tasks, then ends the thread."""
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        running = True
        while running:
            gathered = self._gather(self._waiting.get())
            running = None not in gathered
            tasks = [task for task in gathered if task is not None]
            if tasks and not self._commit(tasks):
                # Tasks that arrived meanwhile have waited for the same lock: fail them now instead of letting them wait again.
                arrivals = self._gather()
                running = running and None not in arrivals
                failed = [task for task in arrivals if task is not None]
                for task in failed:
                    task.error = tasks[0].error
                tasks += failed
            _resolve_all(tasks)

    def _gather(self, *first: _WriteTask | None) -> list[_WriteTask | None]:
        gathered = [*first]
        while len(gathered) < MAX_TASKS_PER_COMMIT:
            try:
                gathered.append(self._waiting.get_nowait())
            except Empty:
                break
        return gathered

    def _commit(self, tasks: list[_WriteTask]) -> bool:
        """Runs and commits the tasks, and returns True. If that fails, gives every task the error and returns False."""
        try:
            if not self._run_together(tasks):
                self._run_separately(tasks)
        except Exception as error:  # of any kind: no caller may be left waiting
            for task in tasks:
                task.error = error
            return False
        return True

    def _run_together(self, tasks: list[_WriteTask]) -> bool:
        """Runs all tasks without savepoints. Returns False, with nothing stored, if one of several fails."""
        try:
            with Session(self._engine, expire_on_commit=False) as session, session.begin():
                for batch, batch_tasks in _by_batch(tasks).items():
                    results = batch(session, [task.item for task in batch_tasks])
                    for task, result in zip(batch_tasks, results, strict=True):
                        task.result = result
        except _DATABASE_ERRORS:
            raise
        except Exception as error:  # raised by a job, not by the database
            tasks[0].error = error if len(tasks) == 1 else None
            return len(tasks) == 1
        return True

    def _run_separately(self, tasks: list[_WriteTask]) -> None:
        """Runs the tasks again, each in a savepoint of its own."""
        with Session(self._engine, expire_on_commit=False) as session, session.begin():
            for task in tasks:
                try:
                    with session.begin_nested():
                        [task.result] = task.batch(session, [task.item])
                except _DATABASE_ERRORS:
                    raise
                except Exception as error:  # raised by the job, for its caller
                    task.error = error


def one_by_one(session: Session, jobs: Sequence[Callable[[Session], Any]]) -> list[Any]:
    """Runs independent jobs in one transaction: the batch function of `Store.write`."""
    return [_run(job, session) for job in jobs]


def _run(job: Callable[[Session], Any], session: Session) -> Any:
    result = job(session)
    session.flush()
    session.expunge_all()  # so that the next job reads from the database, not from this one's objects
    return result


def _by_batch(tasks: Sequence[_WriteTask]) -> Mapping[Batch, list[_WriteTask]]:
    groups: dict[Batch, list[_WriteTask]] = defaultdict(list)
    for task in tasks:
        groups[task.batch].append(task)
    return groups


def _resolve_all(tasks: list[_WriteTask]) -> None:
    loops: dict[asyncio.AbstractEventLoop, list[_WriteTask]] = {}
    for task in tasks:
        loops.setdefault(task.loop, []).append(task)
    for loop, loop_tasks in loops.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_resolve, loop_tasks)


def _resolve(tasks: list[_WriteTask]) -> None:
    for task in tasks:
        if task.future.done():  # the caller was cancelled; its job is committed all the same
            continue
        if task.error is not None:
            task.future.set_exception(task.error)
        else:
            task.future.set_result(task.result)


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
            return await result
        except (*_UNAVAILABLE, DatabaseError) as error:
            if not _is_unavailable(error):
                raise
            raise StoreUnavailable(str(getattr(error, "orig", error))) from error
        finally:
            self._pending_writes -= 1

    async def read(self, job: Job[T]) -> T:
        """Runs the job on one snapshot of the database. It must not write."""
        try:
            return await self._in_thread(self._read_engine, job)
        except (*_UNAVAILABLE, DatabaseError) as error:
            if not _is_unavailable(error):
                raise
            raise StoreUnavailable(str(getattr(error, "orig", error))) from error

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


def _is_unavailable(error: Exception) -> bool:
    """Returns True for errors of the database itself.

    SQLite raises a bare DatabaseError for a damaged file. Subclasses such as IntegrityError belong to the job.
    """
    return isinstance(error, _UNAVAILABLE) or type(error) is DatabaseError


def in_transaction(engine: Engine, job: Job[T]) -> T:
    """Runs the job in a transaction of its own in this thread: for commands, and for databases with several writers."""
    with Session(engine, expire_on_commit=False) as session, session.begin():
        return job(session)
