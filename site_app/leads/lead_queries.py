"""What has come in, as its operators look it up: one shape for leads of every kind and for calls."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from sqlmodel import Session, col, func, select

from site_app.leads.kinds import BY_NAME, KINDS
from site_app.leads.letters import name_of
from site_app.store.tables import Attachment, Lead, Meeting, Outbox
from site_app.store.tables.booking import MEETING
from site_app.store.tables.lead import FromVisitor
from site_app.store.tables.outbox import MAIL

EVERY_KIND = (*BY_NAME, MEETING)
TABLES = (Lead, Meeting)
_SUMMARY = ("reference", "kind", "status", "created_at", "name", "email", "company", "language")
_SHARED = tuple(name for name in FromVisitor.model_fields if name != "id")
_OF_A_CALL = tuple(name for name in Meeting.model_fields if name not in FromVisitor.model_fields)
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
    for table in TABLES:
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
    for table in TABLES:
        for status, count in session.exec(select(table.status, func.count()).group_by(table.status)):
            counts[status] = counts.get(status, 0) + count
    return counts


def every_column() -> tuple[str, ...]:
    """Everything that any entry has, always in one order: what all share first, then each kind's own, in the order of the kinds."""
    own = (name for kind in KINDS for name in kind.own_fields)
    return tuple(dict.fromkeys((*_SUMMARY, *_SHARED, *own, *_OF_A_CALL, "further")))


def _all(session: Session, since: datetime | None) -> Iterator[Entry]:
    for table in TABLES:
        asked = select(table) if since is None else select(table).where(col(table.created_at) >= since)
        for row in session.exec(asked):
            yield _entry(row)


def _entry(row: Lead | Meeting) -> Entry:
    # In the order of the table: that of a row that was loaded changes from run to run.
    shared = {name: getattr(row, name) for name in _SHARED}
    own = _said(row) if isinstance(row, Lead) else {name: getattr(row, name) for name in _OF_A_CALL}
    return {"kind": row.kind, "name": name_of(own)} | shared | own


def _said(lead: Lead) -> Entry:
    """What a lead says by its kind's fields; what it says beyond them, since its kind has changed, is `further`."""
    known = BY_NAME[lead.kind].own_fields if lead.kind in BY_NAME else ()
    further = {name: value for name, value in lead.said.items() if name not in known}
    return {name: lead.said.get(name, "") for name in known} | ({"further": further} if further else {})


def _files(session: Session, reference: str) -> list[Entry]:
    rows = session.exec(select(Attachment).where(Attachment.claimed_by == reference).order_by(col(Attachment.created_at)))
    return [{"name": row.original_name, "size": row.size, "stored": f"attachments/{row.stored_name}"} for row in rows]


def _mails(session: Session, reference: str) -> list[Entry]:
    rows = session.exec(select(Outbox).where(Outbox.reference == reference).order_by(col(Outbox.id)))
    return [
        {"template": row.template, "recipient": _recipient(row), "status": row.status, "sent_at": row.sent_at} for row in rows
    ]


def _recipient(row: Outbox) -> str:
    """Of a webhook its host alone: the rest of the address may be a key, and a person is given all that is kept about them."""
    return row.recipient if row.kind == MAIL else str(urlsplit(row.recipient).hostname)
