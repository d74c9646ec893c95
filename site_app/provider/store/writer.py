"""One thread that writes: it commits at once what has gathered while it wrote."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlmodel import Session

MOST_IN_ONE_COMMIT = 256

# The database itself is in trouble, and may have rolled everything back by itself.
_TROUBLE = (OperationalError, InterfaceError)


# Does the same thing for many callers, with a few statements for all of them, and answers each.
Many = Callable[[Session, Sequence[Any]], Sequence[Any]]


@dataclass(slots=True)
class _Task:
    many: Many
    item: Any
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class GatheringWriter:
    """Answers only after the commit that holds what was asked; what fails takes back its own rows alone.

    It may be done twice before it is answered, so it keeps nothing outside its session.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: SimpleQueue[_Task | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    async def run(self, many: Many, item: Any) -> Any:
        """Have this item be one of the many, and return its answer."""
        loop = asyncio.get_running_loop()
        task = _Task(many, item, loop, loop.create_future())
        self._waiting.put(task)
        return await task.future

    def close(self) -> None:
        """Commit what is waiting, then end the thread."""
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        running = True
        while running:
            gathered = self._gather(self._waiting.get())
            running = None not in gathered
            tasks = [task for task in gathered if task is not None]
            if tasks and not self._commit(tasks):
                # They waited as long for the lock as these did: better a clear "later" now than another wait.
                late = self._gather()
                running = running and None not in late
                refused = [task for task in late if task is not None]
                for task in refused:
                    task.error = tasks[0].error
                tasks += refused
            _answer(tasks)

    def _gather(self, *first: _Task | None) -> list[_Task | None]:
        gathered = [*first]
        while len(gathered) < MOST_IN_ONE_COMMIT:
            try:
                gathered.append(self._waiting.get_nowait())
            except Empty:
                break
        return gathered

    def _commit(self, tasks: list[_Task]) -> bool:
        """Whether the database took the transaction; if not, every task holds the reason."""
        try:
            if not self._together(tasks):
                self._apart(tasks)
        except Exception as error:  # whatever it is, nobody may be left waiting
            for task in tasks:
                task.error = error
            return False
        return True

    def _together(self, tasks: list[_Task]) -> bool:
        """Run them all as if none could fail, which spares each a savepoint; if one does, nothing has happened."""
        try:
            with Session(self._engine, expire_on_commit=False) as session, session.begin():
                for many, alike in _alike(tasks).items():
                    for task, result in zip(alike, many(session, [task.item for task in alike]), strict=True):
                        task.result = result
        except _TROUBLE:
            raise
        except Exception as error:  # somebody's own refusal
            tasks[0].error = error if len(tasks) == 1 else None
            return len(tasks) == 1
        return True

    def _apart(self, tasks: list[_Task]) -> None:
        """Run them again, each able to take back its own rows alone."""
        with Session(self._engine, expire_on_commit=False) as session, session.begin():
            for task in tasks:
                try:
                    with session.begin_nested():
                        [task.result] = task.many(session, [task.item])
                except _TROUBLE:
                    raise
                except Exception as error:  # its own refusal, which its caller gets
                    task.error = error


def one_by_one(session: Session, jobs: Sequence[Callable[[Session], Any]]) -> list[Any]:
    """Run jobs that have nothing in common."""
    return [_run(job, session) for job in jobs]


def _run(job: Callable[[Session], Any], session: Session) -> Any:
    result = job(session)
    session.flush()
    session.expunge_all()  # the next job reads what is in the database, not what this one had in hand
    return result


def _alike(tasks: Sequence[_Task]) -> Mapping[Many, list[_Task]]:
    """The tasks by what they ask for."""
    found: dict[Many, list[_Task]] = defaultdict(list)
    for task in tasks:
        found[task.many].append(task)
    return found


def _answer(tasks: list[_Task]) -> None:
    loops: dict[asyncio.AbstractEventLoop, list[_Task]] = {}
    for task in tasks:
        loops.setdefault(task.loop, []).append(task)
    for loop, answered in loops.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_resolve, answered)


def _resolve(tasks: list[_Task]) -> None:
    for task in tasks:
        if task.future.done():  # its caller went away; what it asked for is kept all the same
            continue
        if task.error is not None:
            task.future.set_exception(task.error)
        else:
            task.future.set_result(task.result)
