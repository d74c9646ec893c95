"""What has come in, as its operators look it up: one shape for quotes, messages, applications and calls."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, func, select

from site_app.services.letters import name_of
from site_app.store.tables import LEADS, AnyLead, Attachment, Meeting, Outbox
from site_app.store.tables.booking import MEETING
from site_app.store.tables.lead import KINDS

EVERY_KIND = (*KINDS, MEETING)
_TABLES = (*LEADS, Meeting)
_SUMMARY = ("reference", "kind", "status", "created_at", "name", "email", "company", "language")
Entry = dict[str, Any]


def entries(
    session: Session, *, kind: str | None = None, status: str | None = None, since: datetime | None = None
) -> list[Entry]:
    """Every lead and call with all it says, the newest first."""
    found = [entry for entry in _all(session, since) if kind in (None, entry["kind"]) and status in (None, entry["status"])]
    return sorted(found, key=lambda entry: entry["created_at"], reverse=True)


def summary(entry: Entry) -> Entry:
    """Enough of an entry to pick it out of a list."""
    return {name: entry[name] for name in _SUMMARY}


def whole(session: Session, reference: str) -> Entry | None:
    """One lead or call with its files and its mails; None if there is none by this reference."""
    for table in _TABLES:
        row = session.exec(select(table).where(table.reference == reference)).first()
        if row is not None:
            return _entry(row) | {"files": _files(session, reference), "mails": _mails(session, reference)}
    return None


def person(session: Session, email: str) -> list[Entry]:
    """Everything kept about whoever uses this address, the newest first."""
    known = [entry["reference"] for entry in entries(session) if entry["email"].lower() == email.strip().lower()]
    return [entry for reference in known if (entry := whole(session, reference))]


def how_many(session: Session) -> dict[str, int]:
    """How many leads and calls there are in each state."""
    counts: dict[str, int] = {}
    for table in _TABLES:
        for status, count in session.exec(select(table.status, func.count()).group_by(table.status)):
            counts[status] = counts.get(status, 0) + count
    return counts


def _all(session: Session, since: datetime | None) -> Iterator[Entry]:
    for table in _TABLES:
        asked = select(table) if since is None else select(table).where(col(table.created_at) >= since)
        for row in session.exec(asked):
            yield _entry(row)


def _entry(row: AnyLead | Meeting) -> Entry:
    said = row.model_dump(exclude={"id"})
    return {"kind": row.kind, "name": name_of(said)} | said


def _files(session: Session, reference: str) -> list[Entry]:
    rows = session.exec(select(Attachment).where(Attachment.claimed_by == reference).order_by(col(Attachment.created_at)))
    return [{"name": row.original_name, "size": row.size, "stored": f"attachments/{row.stored_name}"} for row in rows]


def _mails(session: Session, reference: str) -> list[Entry]:
    rows = session.exec(select(Outbox).where(Outbox.reference == reference).order_by(col(Outbox.id)))
    return [
        {"template": row.template, "recipient": row.recipient, "status": row.status, "sent_at": row.sent_at} for row in rows
    ]
