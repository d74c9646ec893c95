"""Tasks that run beside the API for as long as it is open."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta

import structlog

PAUSE = timedelta(minutes=1)
Task = Callable[[], Awaitable[None]]

log = structlog.get_logger()


@asynccontextmanager
async def running(tasks: Mapping[str, Task]) -> AsyncIterator[None]:
    """Run these tasks by their names, and end them on the way out."""
    started = [asyncio.create_task(supervise(name, task)) for name, task in tasks.items()]
    try:
        yield
    finally:
        for task in started:
            task.cancel()
        await asyncio.gather(*started, return_exceptions=True)


async def supervise(name: str, task: Task) -> None:
    """Run the task; one that fails is begun again after a pause, whatever made it fail."""
    while True:
        try:
            return await task()
        except Exception as error:  # a busy or damaged database, a full disk, a mistake of ours: none of them ends it for good
            # its type alone: what a database says of an error repeats the row, with a visitor's words
            log.error("task.failed", kind=name, error=type(error).__name__)
        await asyncio.sleep(PAUSE.total_seconds())
