"""What the provider sees to by itself for as long as it runs."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import structlog

PAUSE = timedelta(minutes=1)

log = structlog.get_logger()


async def see_to(name: str, errand: Callable[[], Awaitable[None]]) -> None:
    """Run the errand; one that breaks off is begun again after a pause, whatever broke it."""
    while True:
        try:
            return await errand()
        except Exception as error:  # a busy or damaged database, a full disk, a mistake of ours: none of them ends it for good
            # its type alone: what a database says of an error repeats the row, with a visitor's words
            log.error("errand.broke_off", kind=name, error=type(error).__name__)
        await asyncio.sleep(PAUSE.total_seconds())
