"""The one thread that writes to SQLite: it commits at once what has gathered while it wrote."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlmodel import Session

MOST_IN_ONE_COMMIT = 256


@dataclass(slots=True)
class _Task:
    job: Callable[[Session], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class GatheringWriter:
    """Answers a job only after the commit that holds it; a job that fails takes back its own rows alone."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: SimpleQueue[_Task | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    async def run(self, job: Callable[[Session], Any]) -> Any:
        loop = asyncio.get_running_loop()
        task = _Task(job, loop, loop.create_future())
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
            with Session(self._engine, expire_on_commit=False) as session, session.begin():
                for task in tasks:
                    _run(task, session)
        except Exception as error:  # whatever it is, nobody may be left waiting
            for task in tasks:
                task.error = error
            return False
        return True


def _run(task: _Task, session: Session) -> None:
    try:
        with session.begin_nested():
            task.result = task.job(session)
    except (OperationalError, InterfaceError):
        raise  # the database itself is in trouble, and may have rolled the whole transaction back
    except Exception as error:  # the job's own refusal, which its caller gets
        task.error = error


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
