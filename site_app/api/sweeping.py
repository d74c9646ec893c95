"""Runs the retention sweep now and then, for as long as the site runs."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from site_app.services.attachments import directory, remove_files
from site_app.services.retention import stray_mails, sweep
from site_app.settings import Settings
from site_app.store import Store, StoreUnavailable

EVERY = timedelta(minutes=10)

log = structlog.get_logger()


async def keep_sweeping(store: Store, settings: Settings, clock: Callable[[], datetime]) -> None:
    """Sweep at the start and every ten minutes; a busy database is left for the next time."""
    while True:
        try:
            await sweep_once(store, settings, clock())
        except (StoreUnavailable, OSError) as error:
            log.warning("sweep.put_off", error=type(error).__name__)
        await asyncio.sleep(EVERY.total_seconds())


async def sweep_once(store: Store, settings: Settings, now: datetime) -> None:
    room = directory(settings.var)
    files = await store.write(lambda session: sweep(session, now=now, settings=settings, room=room))
    await asyncio.to_thread(remove_files, room, files)
    mails = settings.var / "mail"
    strays = await store.read(lambda session: stray_mails(session, mails))
    await asyncio.to_thread(remove_files, mails, [file.name for file in strays])
