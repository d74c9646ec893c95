"""Erases leads and meetings for good: rows, files, mails and copies in the database's log.

The office and the command line erase what they name; the sweep (`api/sweep.py`) erases what is past its retention period.
"""

import asyncio
import secrets
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import delete, exists
from sqlmodel import Session, col, or_, select

from site_app.core.files import UNFINISHED
from site_app.core.settings import Settings
from site_app.provider.http.refusals import EntryNotFound
from site_app.provider.leads.attachments import directory, discard_unclaimed, names_in, remove_files
from site_app.provider.leads.queries import LEAD_TABLES, row_of
from site_app.provider.outbox.rows import CALENDAR_REMOVAL, calendar_row
from site_app.provider.store import Store, insert_rows
from site_app.provider.store.audit_log import Actor, record
from site_app.provider.store.batches import BATCH_ROWS, delete_batch
from site_app.provider.store.tables import (
    Attachment,
    CalendarEntry,
    IdempotencyKey,
    LeadStatus,
    Meeting,
    MeetingStage,
    Note,
    OpenedLead,
    Outbox,
)

PATIENCE_SECONDS = 2.0  # for readers of an older state of the database
_RETRY_SECONDS = 0.1  # so that others can write between two tries
_KEEP_KEYS = timedelta(days=30)  # browsers do not repeat a submission later; a key contains no data about its sender


class ErasureResult(NamedTuple):
    """The numbers of erased files and of mails in the mail folder.

    `is_forgotten` is False if copies remain in the database's write-ahead log, because a reader still needs an older state.
    """

    files: int
    mails: int
    is_forgotten: bool


async def erase_for_good(store: Store, references: Sequence[str], actor: Actor, *, var: Path) -> ErasureResult:
    """Erases leads or meetings and everything that belongs to them. Raises EntryNotFound, and then nothing is erased."""

    def delete_recorded(session: Session) -> list[str]:
        for reference in references:
            if row_of(session, reference, lock=True) is None:
                raise EntryNotFound
            record(session, actor, "erase", reference)
        remove_calendar_entries(session, *references, now=actor.now)
        return delete_entries(session, *references)

    files = await store.write(delete_recorded)
    mails = await asyncio.to_thread(_remove_from_disk, var, files, references)
    return ErasureResult(len(files), mails, await _forget(store))


def delete_entries(session: Session, *references: str) -> list[str]:
    """Deletes leads or meetings with their outbox rows, files, keys and notes. Returns the files to remove after the commit.

    A later submission with the same key is a new one, because its sender may write to us again.
    """
    if not references:
        return []
    execute = session.connection().execute
    for table in LEAD_TABLES:
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
    entries = session.exec(select(CalendarEntry).join(Meeting).where(col(Meeting.reference).in_(references)))
    # The removal gets a reference of its own, because erasing deletes every row with the meeting's.
    rows = [calendar_row(CALENDAR_REMOVAL, f"removal-{secrets.token_hex(6)}", now=now, entry=entry) for entry in entries]
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


class ExpiredLeads(NamedTuple):
    """A batch of deleted leads, meetings and unclaimed files: their number, and the `files` to remove after the commit."""

    files: list[str]
    rows: int


def delete_expired_leads(session: Session, *, settings: Settings, now: datetime) -> ExpiredLeads:
    """Deletes a batch of leads, meetings and files that no lead has claimed past their retention periods."""
    unclaimed = discard_unclaimed(session, now - settings.keep_unclaimed_files, limit=BATCH_ROWS)
    due = [reference for table in LEAD_TABLES for reference in _due_references(session, table, settings=settings, now=now)]
    remove_calendar_entries(session, *due, now=now)
    files = delete_entries(session, *due)
    return ExpiredLeads(unclaimed + files, len(unclaimed) + len(due))


def delete_old_keys(session: Session, now: datetime) -> int:
    """Deletes a batch of the keys of submissions that no browser repeats any more. Returns the number of rows."""
    is_old = col(IdempotencyKey.created_at) < now - _KEEP_KEYS
    return delete_batch(session, IdempotencyKey, IdempotencyKey.reference, is_old)


def stray_notes(session: Session) -> Sequence[int]:
    """Returns the notes whose lead or meeting no longer exists. Reads all notes, so the sweep asks once, and not while it writes."""
    has_subject = or_(*(exists().where(col(table.reference) == Note.reference) for table in LEAD_TABLES))
    return [number for number in session.exec(select(Note.id).where(~has_subject)) if number]


def delete_notes(session: Session, numbers: Sequence[int]) -> None:
    session.connection().execute(delete(Note).where(col(Note.id).in_(numbers)))


def stray_mails(session: Session, names: Sequence[str]) -> list[str]:
    """Returns the names in the mail folder whose lead no longer exists. The names begin with the lead's reference."""
    # One reference per name, duplicates included: SQLite prepares a statement for each length of the list.
    references = [name.partition(".")[0] for name in names]
    tables = (*LEAD_TABLES, Outbox)  # the outbox too, because a digest has a reference of its own that belongs to no lead
    stored = (session.exec(select(table.reference).where(col(table.reference).in_(references))) for table in tables)
    references_in_use = {reference for stored_references in stored for reference in stored_references}
    endings = (".eml", UNFINISHED, ".part")  # the first release called unfinished mails .part
    return [name for name in names if name.endswith(endings) and name.partition(".")[0] not in references_in_use]


def _due_references(session: Session, table: Any, *, settings: Settings, now: datetime) -> Sequence[str]:
    """Returns references past their retention period, which starts when they were sent. A call that is still to end is not among them."""
    sent_at = col(table.created_at)
    is_old_spam = (col(table.status) == LeadStatus.QUARANTINED) & (sent_at < now - settings.keep_quarantine)
    statement = select(table.reference).where(or_(sent_at < now - settings.keep_leads, is_old_spam))
    if table is Meeting:  # SITE_KEEP_LEADS may be shorter than SITE_BOOKING_HORIZON
        statement = statement.where(or_(Meeting.state == MeetingStage.CANCELLED, col(Meeting.ends_at) < now))
    # Without the lock a lead released before the rows are deleted would be lost. One that is being changed is left to the next sweep.
    return session.exec(statement.limit(BATCH_ROWS).with_for_update(skip_locked=True)).all()
