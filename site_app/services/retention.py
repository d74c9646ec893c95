"""What is kept only for a time, and what is erased when its sender asks."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete
from sqlmodel import Session, col, select

from site_app.services.attachments import discard_unclaimed
from site_app.settings import Settings
from site_app.store import take_turns
from site_app.store.tables import LEADS, Attachment, Hold, IdempotencyKey, Meeting, Outbox, PageView
from site_app.store.tables.lead import QUARANTINED

_LEADS = (*LEADS, Meeting)
_KEEP_KEYS = timedelta(days=30)  # nobody repeats a submission later; a key says nothing about its sender
_KEEP_HOLDS = timedelta(days=1)


def sweep(session: Session, *, now: datetime, settings: Settings) -> list[str]:
    """Delete every row past its time, one process at a time; returns the files to remove once that is committed."""
    take_turns(session, "retention")
    files = discard_unclaimed(session, now - settings.keep_unclaimed_files)
    for table in _LEADS:
        old = col(table.created_at) < now - settings.keep_leads
        doubtful = (col(table.status) == QUARANTINED) & (col(table.created_at) < now - settings.keep_quarantine)
        for reference in session.exec(select(table.reference).where(old | doubtful)).all():
            files += erase(session, reference)
    run = session.connection().execute
    run(delete(PageView).where(col(PageView.day) < (now - settings.keep_page_views).date()))
    run(delete(IdempotencyKey).where(col(IdempotencyKey.created_at) < now - _KEEP_KEYS))
    run(delete(Hold).where(col(Hold.expires_at) < now - _KEEP_HOLDS))
    return files


def erase(session: Session, reference: str) -> list[str]:
    """Delete a lead or call with its outbox rows and files; returns the files to remove once that is committed."""
    run = session.connection().execute
    for table in _LEADS:
        run(delete(table).where(col(table.reference) == reference))
    run(delete(Outbox).where(col(Outbox.reference) == reference))
    gone = run(delete(Attachment).where(col(Attachment.claimed_by) == reference).returning(col(Attachment.stored_name)))
    return list(gone.scalars())


def stray_mails(session: Session, names: Sequence[str]) -> list[str]:
    """Of these names in the folder of mails, those whose lead is gone: they begin with its reference."""
    # one for each name, though two may say the same: SQLite keeps a statement prepared for every number of them
    references = [name.partition(".")[0] for name in names]
    found = (session.exec(select(table.reference).where(col(table.reference).in_(references))) for table in _LEADS)
    known = {reference for some in found for reference in some}
    return [name for name in names if name.endswith((".eml", ".part")) and name.partition(".")[0] not in known]
