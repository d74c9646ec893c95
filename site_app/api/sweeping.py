"""Runs the retention sweep now and then, for as long as the site runs."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from sqlmodel import Session

from site_app.services.attachments import ABANDONED, directory, remove_files, stray_files
from site_app.services.folders import names_in
from site_app.services.retention import stray_mails, sweep
from site_app.settings import Settings
from site_app.store import Store

EVERY = timedelta(minutes=10)


async def keep_sweeping(store: Store, settings: Settings, clock: Callable[[], datetime]) -> None:
    """Sweep at the start and every ten minutes."""
    while True:
        await sweep_once(store, settings, clock())
        await asyncio.sleep(EVERY.total_seconds())


async def sweep_once(store: Store, settings: Settings, now: datetime) -> None:
    room = directory(settings.var)
    files = await store.write(lambda session: sweep(session, now=now, settings=settings))
    await asyncio.to_thread(remove_files, room, files)
    await _remove_strays(store, room, names_in(room, before=now - ABANDONED), stray_files)
    mails = settings.var / "mail"
    await _remove_strays(store, mails, names_in(mails), stray_mails)


async def _remove_strays(
    store: Store, folder: Path, parts: Iterator[list[str]], strays: Callable[[Session, Sequence[str]], list[str]]
) -> None:
    """Each part is looked at before the database is asked about it: what comes meanwhile has its row already."""
    while names := await asyncio.to_thread(next, parts, None):
        found = await store.read(lambda session, part=names: strays(session, part))
        await asyncio.to_thread(remove_files, folder, found)
