"""Erases leads and meetings for good, for the office and the command line: rows, files, mails and copies in the database's log."""

import asyncio
import secrets
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import delete
from sqlmodel import Session, col, select

from site_app.provider.endpoints.refusals import EntryNotFound
from site_app.provider.leads.attachments import directory, names_in, remove_files
from site_app.provider.leads.queries import TABLES, row_of
from site_app.provider.outbox.rows import CALENDAR_REMOVAL, calendar_row
from site_app.provider.store import Store, insert_rows
from site_app.provider.store.audit_log import Actor, record
from site_app.provider.store.tables import Attachment, CalendarEntry, IdempotencyKey, Meeting, Note, OpenedLead, Outbox

PATIENCE_SECONDS = 2.0  # for readers of an older state of the database
_RETRY_SECONDS = 0.1  # so that others can write between two tries


class Erased(NamedTuple):
    """The numbers of erased files and of mails in the mail folder.

    `is_forgotten` is False if copies remain in the database's write-ahead log, because a reader still needs an older state.
    """

    files: int
    mails: int
    is_forgotten: bool


async def erase_for_good(store: Store, references: Sequence[str], actor: Actor, *, var: Path) -> Erased:
    """Erases leads or meetings and everything that belongs to them. Raises EntryNotFound, and then nothing is erased."""

    def delete_recorded(session: Session) -> list[str]:
        for reference in references:
            if row_of(session, reference, lock=True) is None:
                raise EntryNotFound(reference)
            record(session, actor.name, "erase", reference, now=actor.now)
        remove_calendar_entries(session, *references, now=actor.now)
        return delete_entries(session, *references)

    files = await store.write(delete_recorded)
    mails = await asyncio.to_thread(_remove_from_disk, var, files, references)
    return Erased(len(files), mails, await _forget(store))


def delete_entries(session: Session, *references: str) -> list[str]:
    """Deletes leads or meetings with their outbox rows, files, keys and notes. Returns the files to remove after the commit.

    A later submission with the same key is a new one, because its sender may write to us again.
    """
    if not references:
        return []
    execute = session.connection().execute
    for table in TABLES:
        execute(delete(table).where(col(table.reference).in_(references)))
    execute(delete(Outbox).where(col(Outbox.reference).in_(references)))
    execute(delete(Note).where(col(Note.reference).in_(references)))
    execute(delete(OpenedLead).where(col(OpenedLead.reference).in_(references)))
    execute(delete(IdempotencyKey).where(col(IdempotencyKey.reference).in_(references)))
    attached = col(Attachment.claimed_by).in_(references)
    return list(execute(delete(Attachment).where(attached).returning(col(Attachment.stored_name))).scalars())


def remove_calendar_entries(session: Session, *references: str, now: datetime) -> None:
    """Adds to the outbox the removal of these meetings' entries from the host's calendar. Must be called before they are deleted."""
    if not references:
        return
    hrefs = session.exec(select(CalendarEntry.href).join(Meeting).where(col(Meeting.reference).in_(references)))
    # The removal gets a reference of its own, because erasing deletes every row with the meeting's.
    rows = [calendar_row(CALENDAR_REMOVAL, f"removal-{secrets.token_hex(6)}", now=now, href=href) for href in hrefs]
    insert_rows(session, Outbox, rows)


def _remove_from_disk(var: Path, files: Sequence[str], references: Sequence[str]) -> int:
    """Removes the files of erased leads, and from the mail folder their mails, whose names begin with a reference. Returns the number of mails."""
    remove_files(directory(var), files)
    mails = [name for names in names_in(var / "mail") for name in names if name.partition(".")[0] in references]
    remove_files(var / "mail", mails)
    return len(mails)


async def _forget(store: Store) -> bool:
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        if await store.forget_erased():
            return True
        if time.monotonic() >= until:
            return False
        await asyncio.sleep(_RETRY_SECONDS)
