"""The retention sweep: erases rows and files past their retention period. Each package knows which of its rows have expired."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import structlog
from sqlmodel import Session

from site_app.core.settings import Settings
from site_app.provider.affiliates.erasing import delete_expired_partners
from site_app.provider.api.mails import TEMPLATES_WITHOUT_LEAD
from site_app.provider.booking.hold import delete_expired_holds
from site_app.provider.booking.limits import forget_networks_of_past_meetings
from site_app.provider.insights.page_views import delete_old_views
from site_app.provider.leads.attachments import ABANDONED, directory, names_in, remove_files, stray_files
from site_app.provider.leads.erasing import delete_expired_leads, delete_notes, delete_old_keys, stray_mails, stray_notes
from site_app.provider.office.sessions import delete_expired_links, delete_old_sessions
from site_app.provider.outbox.rows import correct_dates, delete_old_rows
from site_app.provider.store import Store, advisory_lock
from site_app.provider.store.audit_log import delete_old_entries
from site_app.provider.store.clock import note_time

MIN_PAUSE_SECONDS = 0.02  # between two batches
_NOTES_AT_ONCE = 500

log = structlog.get_logger()


class SweptBatch(NamedTuple):
    """The result of one batch of a sweep: `files` to remove after the commit; `rows` is 0 when nothing was left to delete."""

    files: list[str]
    rows: int


async def sweep_once(store: Store, settings: Settings, now: datetime, *, confirmed: bool = False) -> None:
    """Erases rows and files past their retention period, and files without a row.

    Raises ClockDoubted if the time is implausible, unless the operator `confirmed` it.
    """
    await store.write(lambda session: note_time(session, now, confirmed=confirmed))
    await store.write(lambda session: correct_dates(session, now=now))
    folder = directory(settings.var)
    await _sweep_in_batches(store, settings, now, folder)
    notes = await store.read(stray_notes)
    for start in range(0, len(notes), _NOTES_AT_ONCE):
        await store.write(partial(delete_notes, numbers=notes[start : start + _NOTES_AT_ONCE]))
    await _remove_strays(store, folder, names_in(folder, before=now - ABANDONED), stray_files)
    mails = settings.var / "mail"
    await _remove_strays(store, mails, names_in(mails), stray_mails)
    if not await store.forget_erased():
        log.warning("retention.copies_left")  # in the write-ahead log, because of an open reader; the next sweep tries again


def sweep_batch(session: Session, *, settings: Settings, now: datetime) -> SweptBatch:
    """Deletes a batch of the expired rows of each table, in one process at a time. The caller repeats it, so that others can write in between."""
    advisory_lock(session, "retention")
    leads = delete_expired_leads(session, settings=settings, now=now)
    rows = (
        leads.rows
        + delete_old_keys(session, now)
        + delete_old_rows(
            session,
            TEMPLATES_WITHOUT_LEAD,
            before=now - settings.keep_quarantine,
            # by then the courier has sent it or given it up, also if it was away for a while
            pending_before=now - max(settings.keep_quarantine, 2 * settings.mail_give_up),
        )
        + delete_expired_holds(session, now)
        + delete_old_views(session, before=(now - settings.keep_page_views).date())
        + delete_expired_links(session, now)
        + delete_old_sessions(session, now)
        + delete_old_entries(session, before=now - settings.keep_leads)
        + delete_expired_partners(session, before=now - settings.keep_affiliates)
    )
    forget_networks_of_past_meetings(session, now)
    return SweptBatch(leads.files, rows)


async def _sweep_in_batches(store: Store, settings: Settings, now: datetime, folder: Path) -> None:
    """Sweeps batch by batch, and pauses after each for as long as it took, so that others can use the database."""
    while True:
        began = time.monotonic()
        swept = await store.write(lambda session: sweep_batch(session, now=now, settings=settings))
        await asyncio.to_thread(remove_files, folder, swept.files)
        if not swept.rows:
            return
        await asyncio.sleep(max(time.monotonic() - began, MIN_PAUSE_SECONDS))


async def _remove_strays(
    store: Store, folder: Path, parts: Iterator[list[str]], strays: Callable[[Session, Sequence[str]], list[str]]
) -> None:
    """Removes files without a row. Reads the names before it queries the database, so that a file added meanwhile has its row already."""
    while names := await asyncio.to_thread(next, parts, None):
        stray_names = await store.read(lambda session, part=names: strays(session, part))
        await asyncio.to_thread(remove_files, folder, stray_names)
