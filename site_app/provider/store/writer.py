"""A thread that commits many small tasks together: each commit takes all tasks that arrived during the previous one."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from time import sleep
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlmodel import Session

MAX_TASKS_PER_COMMIT = 256
# In a burst each commit waits this long for more tasks: a commit costs as much processor time as three of its submissions.
_BURST_PAUSE_SECONDS = 0.002

# Errors of the database itself, which may have rolled back the whole transaction.
_DATABASE_ERRORS = (OperationalError, InterfaceError)

# Stores the payloads of many tasks with few statements, and returns a result for each.
Batch = Callable[[Session, Sequence[Any]], Sequence[Any]]


@dataclass(slots=True)
class _WriteTask:
    batch: Batch
    payload: Any
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
        self._has_one_writer = engine.dialect.name == "sqlite"
        self._waiting: SimpleQueue[_WriteTask | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    async def run(self, batch: Batch, payload: Any) -> Any:
        """Runs the batch function with this payload among others, and returns the payload's result."""
        loop = asyncio.get_running_loop()
        task = _WriteTask(batch, payload, loop, loop.create_future())
        self._waiting.put(task)
        return await task.future

    def close(self) -> None:
        """Commits the waiting tasks, then ends the thread."""
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        running = True
        is_burst = False
        while running:
            first = self._waiting.get()
            if is_burst:
                sleep(_BURST_PAUSE_SECONDS)
            gathered = self._gather(first)
            is_burst = len(gathered) > 1
            running = None not in gathered
            tasks = [task for task in gathered if task is not None]
            if tasks and not self._commit(tasks):
                # Tasks that arrived meanwhile have waited for the same lock: fail them now instead of letting them wait again.
                arrivals = self._gather()
                running = running and None not in arrivals
                failed = [task for task in arrivals if task is not None]
                for task in failed:
                    task.error = tasks[-1].error
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
        """Runs and commits the tasks, and returns True. If that fails, gives every task that is not stored the error and returns False."""
        try:
            if self._run_together(tasks):
                return True
            if self._has_one_writer:
                self._run_in_savepoints(tasks)
                return True
        except Exception as error:  # of any kind: no caller may be left waiting
            for task in tasks:
                task.error = error
            return False
        return self._run_in_transactions(tasks)

    def _run_together(self, tasks: list[_WriteTask]) -> bool:
        """Runs all tasks without savepoints. Returns False, with nothing stored, if one of several fails."""
        try:
            with Session(self._engine, expire_on_commit=False) as session, session.begin():
                for batch, batch_tasks in _by_batch(tasks).items():
                    results = batch(session, [task.payload for task in batch_tasks])
                    for task, result in zip(batch_tasks, results, strict=True):
                        task.result = result
        except _DATABASE_ERRORS:
            raise
        except Exception as error:  # raised by a task, not by the database
            tasks[0].error = error if len(tasks) == 1 else None
            return len(tasks) == 1
        return True

    def _run_in_transactions(self, tasks: list[_WriteTask]) -> bool:
        """Runs the tasks again, each in a transaction of its own. If the database fails, gives that task and all after it the error.

        A batch takes its locks in one order, but tasks run one after the other take them in the order in which they arrived. Two processes
        would deadlock if their tasks kept them until a common commit.
        """
        for position, task in enumerate(tasks):
            try:
                self._run_together([task])
            except Exception as error:  # of the database
                for failed in tasks[position:]:
                    failed.error = error
                return False
        return True

    def _run_in_savepoints(self, tasks: list[_WriteTask]) -> None:
        """Runs the tasks again, each in a savepoint of its own. One commit is faster, and without other writers nobody waits for a lock."""
        with Session(self._engine, expire_on_commit=False) as session, session.begin():
            for task in tasks:
                try:
                    with session.begin_nested():
                        [task.result] = task.batch(session, [task.payload])
                except _DATABASE_ERRORS:
                    raise
                except Exception as error:  # raised by the task, for its caller
                    task.error = error


def one_by_one(session: Session, payloads: Sequence[Callable[[Session], Any]]) -> list[Any]:
    """Runs payloads that are functions in one transaction: the batch function of `Store.write`."""
    return [_run(function, session) for function in payloads]


def _run(function: Callable[[Session], Any], session: Session) -> Any:
    result = function(session)
    session.flush()
    session.expunge_all()  # so that the next function reads from the database, not from this one's objects
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
        if task.future.done():  # the caller was cancelled; its task is committed all the same
            continue
        if task.error is not None:
            task.future.set_exception(task.error)
        else:
            task.future.set_result(task.result)
