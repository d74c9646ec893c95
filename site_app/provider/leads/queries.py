"""Finds leads and meetings for the team: entries of one shape for every kind, filtered and searched, with files and mails."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import ColumnElement, and_, collate, literal, true
from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, or_, select

from site_app.contracts.attribution import NAMES
from site_app.contracts.fields import Email
from site_app.contracts.kinds import BY_NAME, LEAD_KINDS
from site_app.provider.leads.mails import name_of
from site_app.provider.store.columns import fold
from site_app.provider.store.tables import (
    MEETING,
    Attachment,
    FromVisitor,
    Lead,
    LeadStatus,
    Meeting,
    MeetingStage,
    Note,
    Outbox,
    OutboxKind,
)

EVERY_KIND = (*BY_NAME, MEETING)
LEAD_TABLES = (Lead, Meeting)
_SUMMARY = ("reference", "kind", "status", "owner", "created_at", "name", "email", "company", "language")
_SHARED = tuple(name for name in FromVisitor.model_fields if name not in ("id", "version"))
_MEETING_FIELDS = tuple(name for name in Meeting.model_fields if name not in (*FromVisitor.model_fields, "folded"))
_MAX_TERMS = 6
_LONGEST_WAIT_OF_FILES = timedelta(days=30)  # the greatest SITE_KEEP_UNCLAIMED_FILES
_BETWEEN_TERMS = re.compile(r"[\s\"]+")
_PHONE = re.compile(r"(?:tel:)?[\d\s()+./-]+", re.ASCII)
_NOT_OF_E164 = re.compile(r"\(0\)|\D", re.ASCII)
_MIN_PHONE_DIGITS = 6
_EMAIL = TypeAdapter[str](Email)
Table = TypeVar("Table", Lead, Meeting)
LeadEntry = dict[str, Any]
Record = dict[str, Any]  # of what belongs to an entry, such as a note or a file
Cursor = tuple[datetime, str]


@dataclass(frozen=True)
class Filter:
    """A filter for leads and meetings; an empty field does not filter.

    Each word of `words` must occur in the submitted text, in a file's name or in a note; a phone number may have another notation.
    The status "new" covers every entry that nobody has taken up yet: see `has_status`.
    """

    kind: str = ""
    status: str = ""
    language: str = ""
    since: datetime | None = None
    until: datetime | None = None
    words: str = ""
    source: str = ""
    campaign: str = ""


def source_of(table: Any) -> ColumnElement[str]:
    """Returns the expression for the source of a row: utm_source, else the code of a partner, else the host that linked here, else ""."""
    return func.coalesce(*(attribution_detail(table, name) for name in ("utm_source", "ref", "referrer")), literal(""))


def attribution_detail(table: Any, name: str) -> ColumnElement[Any]:
    """Returns the expression for one detail of where a row came from, such as utm_source, or NULL."""
    return col(table.attribution)[name].as_string()


def entries(
    session: Session,
    filters: Filter = Filter(),
    *,
    cursor: Cursor | None = None,
    limit: int | None = None,
    oldest: datetime | None = None,
) -> list[LeadEntry]:
    """Returns leads and meetings with all their fields, newest first, after `cursor`: the time and reference of the last entry shown.

    Nothing older than the time `oldest` is looked at.
    """
    matches: list[LeadEntry] = []
    for table in _tables_of(filters):
        ordered = _filtered(table, filters, session, oldest).order_by(col(table.created_at).desc(), col(table.reference).desc())
        if cursor:
            moment, reference = cursor
            ordered = ordered.where(
                col(table.created_at) <= moment, or_(col(table.created_at) < moment, col(table.reference) < reference)
            )
        for condition in _status_conditions(table, filters.status):
            matches += [_entry(row) for row in session.exec(ordered.where(condition).limit(limit))]
    return sorted(matches, key=lambda entry: (entry["created_at"], entry["reference"]), reverse=True)[:limit]


def _tables_of(filters: Filter) -> list[Any]:
    """Returns the tables that can have entries of the filter's kind."""
    return [table for table in LEAD_TABLES if not filters.kind or (filters.kind == MEETING) == (table is Meeting)]


def search_limit_time(session: Session, filters: Filter, cursor: Cursor | None, *, most: int) -> datetime | None:
    """Returns the time down to which a search looks at `most` leads or meetings after the cursor, or None if it may look at all.

    A list of all, of one kind or of one status is read from an index, whatever its length.
    """
    if not (filters.language or filters.words or filters.source or filters.campaign or (filters.kind and filters.status)):
        return None
    limit_times = []
    for table in LEAD_TABLES:
        moments = select(table.created_at).order_by(col(table.created_at).desc()).offset(most).limit(1)
        limit_times.append(session.exec(moments.where(col(table.created_at) <= cursor[0]) if cursor else moments).first())
    return max((moment for moment in limit_times if moment), default=None)


def summary(entry: LeadEntry) -> Record:
    """Returns the fields of an entry that a list shows."""
    return {name: entry[name] for name in _SUMMARY}


def full_entry(session: Session, reference: str) -> LeadEntry | None:
    """Returns a lead or meeting with its files, mails and notes, or None if the reference does not exist."""
    row = row_of(session, reference)
    if row is None:
        return None
    related = {"files": _files(session, reference), "mails": _mails(session, reference), "notes": notes(session, reference)}
    return _entry(row) | related


def row_of(session: Session, reference: str, *, lock: bool = False) -> Lead | Meeting | None:
    """Returns the row of a lead or meeting, or None; `lock` as in `find_by_reference`."""
    return find_by_reference(session, Lead, reference, lock=lock) or find_by_reference(session, Meeting, reference, lock=lock)


def find_by_reference(session: Session, table: type[Table], reference: str, *, lock: bool = False) -> Table | None:
    """Returns the row with this reference, or None. `lock` keeps others from changing it until the transaction ends (PostgreSQL).

    They may still add rows that refer to it, such as the link of a reminder.
    """
    statement = select(table).where(table.reference == reference)
    return session.exec(statement.with_for_update(key_share=True) if lock else statement).first()


def notes(session: Session, reference: str) -> list[Record]:
    """Returns the team's notes about a lead or meeting, oldest first, without held ones."""
    rows = session.exec(select(Note).where(Note.reference == reference, ~col(Note.held)).order_by(col(Note.id)))
    return [{"id": row.id, "person": row.person, "written_at": row.written_at, "text": row.text} for row in rows]


def references_of(session: Session, email: str) -> list[str]:
    """Returns the references of every lead and meeting of this email address, newest first."""
    email = stored_address(email)
    statements = (select(table.reference, table.created_at).where(func.lower(table.email) == email) for table in LEAD_TABLES)
    rows = sorted((row for statement in statements for row in session.exec(statement)), key=lambda row: row[1], reverse=True)
    return [reference for reference, _ in rows]


def stored_address(typed: str) -> str:
    """Returns a typed address as leads hold it, in lower case: the domain of ada@bücher.de is stored in ASCII."""
    try:
        return _EMAIL.validate_python(typed).lower()
    except ValidationError:  # of a stricter rule than that by which a lead was stored
        return typed.strip().lower()


def count_entries(session: Session, filters: Filter = Filter()) -> int:
    """Returns the number of leads and meetings."""
    count = 0
    for table in _tables_of(filters):
        matches = _filtered(table, filters, session, None).with_only_columns(func.count(), maintain_column_froms=True)
        status = has_status(table, filters.status) if filters.status else true()
        count += session.exec(matches.where(status)).one()
    return count


def every_column() -> tuple[str, ...]:
    """Returns the columns of a table of entries, always in the same order: shared fields first, then each kind's own.

    Where a visitor came from takes a column for each detail, see `contracts.attribution`.
    """
    kind_fields = (name for kind in LEAD_KINDS for name in kind.own_fields)
    shared = (name for name in _SHARED if name != "attribution")
    return tuple(dict.fromkeys((*_SUMMARY, *shared, *kind_fields, *_MEETING_FIELDS, *NAMES, "further")))


def has_status(table: Any, status: str) -> ColumnElement[bool]:
    """Returns the condition for rows of this status. "new" includes released leads and excludes cancelled meetings."""
    if status != LeadStatus.NEW:
        return col(table.status) == status
    if table is Meeting:
        return and_(col(Meeting.status) == LeadStatus.NEW, col(Meeting.state) != MeetingStage.CANCELLED)
    return col(table.status).in_((LeadStatus.NEW, LeadStatus.RELEASED))


def _status_conditions(table: Any, status: str) -> Sequence[ColumnElement[bool]]:
    """Returns the condition of `has_status`, split where two statuses make it up: SQLite reads each from an index, and sorts both."""
    if not status:
        return (true(),)
    if status == LeadStatus.NEW and table is Lead:
        return col(Lead.status) == LeadStatus.NEW, col(Lead.status) == LeadStatus.RELEASED
    return (has_status(table, status),)


def _filtered(table: Any, filters: Filter, session: Session, oldest: datetime | None) -> Any:
    statement = select(table).options(defer(table.folded))
    if oldest:
        statement = statement.where(col(table.created_at) >= oldest)
    if filters.kind and table is Lead:
        statement = statement.where(Lead.kind == filters.kind)
    if filters.language:
        statement = statement.where(table.language == filters.language)
    if filters.since:
        statement = statement.where(col(table.created_at) >= filters.since)
    if filters.until:
        statement = statement.where(col(table.created_at) < filters.until)
    if filters.source:
        statement = statement.where(source_of(table) == filters.source)
    if filters.campaign:
        statement = statement.where(attribution_detail(table, "utm_campaign") == filters.campaign)
    words = fold(filters.words)
    has_words = [
        _contains(table, word, session, oldest) for word in filter(None, _BETWEEN_TERMS.split(words, _MAX_TERMS)[:_MAX_TERMS])
    ]
    if digits := _phone_digits(words):
        return statement.where(or_(and_(*has_words), col(table.phone_e164).contains(digits)))
    return statement.where(*has_words)


def _phone_digits(words: str) -> str:
    """Returns the digits that a typed phone number shares with its E.164 form, which has no leading zeros, or "" for other words."""
    visible = "".join(sign for sign in words if unicodedata.category(sign) != "Cf")  # other programs copy direction marks along
    digits = _NOT_OF_E164.sub("", visible).lstrip("0") if _PHONE.fullmatch(visible.strip()) else ""
    return digits if len(digits) >= _MIN_PHONE_DIGITS else ""


def _contains(table: Any, word: str, session: Session, oldest: datetime | None) -> Any:
    """Returns the condition that the word occurs in a row, in its notes or in the names of its files."""
    is_postgresql = session.get_bind().dialect.name == "postgresql"

    def holds(searched: Any) -> Any:
        # Compare bytes on PostgreSQL, which is twice as fast.
        text: Any = collate(col(searched.folded), "C") if is_postgresql else col(searched.folded)
        return text.contains(word, autoescape=True)

    noted = select(Note.reference).where(~col(Note.held), holds(Note))
    attached = select(Attachment.claimed_by).where(col(Attachment.claimed_by).is_not(None), holds(Attachment))
    if oldest:  # a note is younger than its lead; a file may be older by as long as it may wait for its form
        noted = noted.where(col(Note.written_at) >= oldest)
        attached = attached.where(col(Attachment.created_at) >= oldest - _LONGEST_WAIT_OF_FILES)
    reference = col(table.reference)
    return or_(holds(table), reference.in_(noted), reference.in_(attached))


def _entry(row: Lead | Meeting) -> LeadEntry:
    # In the table's order, because the order of a loaded row's fields changes from run to run.
    shared = {name: getattr(row, name) for name in _SHARED}
    kind_fields = _kind_fields(row) if isinstance(row, Lead) else {name: getattr(row, name) for name in _MEETING_FIELDS}
    return {"kind": row.kind, "name": name_of(kind_fields)} | shared | kind_fields


def _kind_fields(lead: Lead) -> Record:
    """Returns the fields of the lead's kind. The key `further` holds fields that the kind has lost since the lead was sent."""
    field_names = BY_NAME[lead.kind].own_fields if lead.kind in BY_NAME else ()
    lost_fields = {name: value for name, value in lead.own_fields.items() if name not in field_names}
    return {name: lead.own_fields.get(name, "") for name in field_names} | ({"further": lost_fields} if lost_fields else {})


def _files(session: Session, reference: str) -> list[Record]:
    rows = session.exec(select(Attachment).where(Attachment.claimed_by == reference).order_by(col(Attachment.created_at)))
    return [{"name": row.original_name, "size": row.size, "stored": f"attachments/{row.stored_name}"} for row in rows]


def _mails(session: Session, reference: str) -> list[Record]:
    rows = session.exec(select(Outbox).where(Outbox.reference == reference).order_by(col(Outbox.id)))
    return [
        {"template": row.template, "recipient": _recipient(row), "status": row.status, "sent_at": row.sent_at} for row in rows
    ]


def _recipient(row: Outbox) -> str:
    """Returns a mail's recipient or a target's name.

    Rows of earlier releases hold the webhook's URL, of which only the host is no secret: persons get an export of the data about them.
    """
    is_url = row.kind != OutboxKind.MAIL and "://" in row.recipient
    return str(urlsplit(row.recipient).hostname) if is_url else row.recipient
