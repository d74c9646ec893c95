"""Rows of the outbox: builds those of mails and composes a row's mail, leases rows for delivery, stores the outcome, retries."""

import secrets
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, literal, or_, true, update
from sqlmodel import Session, col, func, select

from site_app.core.i18n import use
from site_app.core.locales import BY_ID, ENGLISH
from site_app.core.settings import Settings
from site_app.provider.outbox.mail import Fields, MailAddress, MailText, mail_of
from site_app.provider.outbox.mailboxes import mailbox_of
from site_app.provider.store.batches import delete_batch
from site_app.provider.store.clock import CLOCK_TOLERANCE
from site_app.provider.store.tables import CalendarEntry, Meeting, NewLead, NewOutbox, Outbox, OutboxKind, OutboxStatus

# Writes to the host's calendar.
CALENDAR_ENTRY = "calendar-entry"
CALENDAR_CORRECTION = "calendar-correction"  # of what an entry says; the host's changes to the entry stay
CALENDAR_REMOVAL = "calendar-removal"
TEAM = "the team"  # a recipient whose address is that of the settings when the mail is sent
# Not shown in mails.
INTERNAL_COLUMNS = {
    "id",
    "status",
    "status_reason",
    "phone_e164",
    "phone_extension",
    "owner",
    "version",
    "folded",
}
# Mails to visitors show only these fields. The address is unverified: if the mails repeated the sender's text, anyone could use us
# to mail anything to anybody.
_SAFE_FIELDS = {
    "reference",
    "kind",
    "created_at",
    "starts_at",
    "ends_at",
    "time_zone",
    "moved_from",
    "remind_at",
    "conferencing_url",
    "call_language",
    "host",
}
FIRST_WAIT = timedelta(seconds=30)
MAX_WAIT = timedelta(hours=6)
SPREAD = 0.2  # random share by which a wait is longer or shorter
LEASE = timedelta(minutes=5)  # well beyond every timeout: an expired lease belongs to a dead process
_DIFFERENT_WAITS = 11  # from this number of attempts on, every wait is MAX_WAIT
_READ_AT_ONCE = 32  # due rows


@dataclass(frozen=True)
class Template:
    """`text` returns the mail's text from the row's payload. A row with `has_lead` has the reference of a lead or meeting, and is erased with it."""

    text: Callable[[Fields, Settings], MailText]
    to_team: bool = False
    has_lead: bool = True


def compose(row: NewOutbox, template: Template, settings: Settings) -> bytes:
    """Returns the MIME message of a row, in its reader's language."""
    recipient = (settings.mail_team or settings.brand_email) if row.recipient == TEAM else row.recipient
    with use(BY_ID.get(row.language, ENGLISH)):
        return mail_of(
            template.text(row.payload, settings),
            to=MailAddress(settings.brand_name if template.to_team else "", recipient),
            message_id=row.message_id,
            reference=row.reference,
            created_at=row.created_at,
            settings=settings,
        )


def row_to_visitor(
    template: str, fields: Fields, lead: NewLead | Meeting, *, settings: Settings, now: datetime, edition: int | str = 0
) -> NewOutbox:
    row = mail_row(template, fields, lead.email, lead.language, settings=settings, now=now, edition=edition)
    row.mailbox = mailbox_of(lead.email)
    return row


def row_to_team(template: str, fields: Fields, *, settings: Settings, now: datetime, edition: int | str = 0) -> NewOutbox:
    return mail_row(template, fields, TEAM, ENGLISH.id, settings=settings, now=now, edition=edition)


def mail_row(
    template: str, fields: Fields, recipient: str, language: str, *, settings: Settings, now: datetime, edition: int | str = 0
) -> NewOutbox:
    """Returns a mail's row. Its message id is made of reference, template and edition; the table refuses a second row with the same id."""
    domain = (settings.mail_from or settings.brand_email).rpartition("@")[2]
    return NewOutbox(
        kind=OutboxKind.MAIL,
        message_id=f"<{fields['reference']}.{template}.{edition}@{domain}>",
        reference=fields["reference"],
        template=template,
        payload=dict(fields),
        language=language,
        recipient=recipient,
        next_attempt_at=now,
        created_at=now,
    )


def calendar_row(template: str, reference: str, *, now: datetime, entry: CalendarEntry | None = None) -> NewOutbox:
    """Returns a write to the host's calendar: of a meeting's entry as it is when it is written, or the removal of this entry."""
    return NewOutbox(
        kind=OutboxKind.CALENDAR_WRITE,
        message_id=f"{reference}.{template}.{secrets.token_hex(8)}",
        reference=reference,
        template=template,
        payload={"href": entry.href, "uid": entry.uid} if entry else {},
        recipient="calendar",
        next_attempt_at=now,
        created_at=now,
    )


def fields_of(row: NewLead | Meeting) -> dict[str, Any]:
    """Returns the fields of a lead or meeting as JSON values, without the columns that no mail shows."""
    columns = row.model_dump()
    values = columns | columns.pop("own_fields", {})
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
        if name not in INTERNAL_COLUMNS
    }


def safe_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields that a mail to a visitor may show."""
    return {name: value for name, value in fields.items() if name in _SAFE_FIELDS}


def lane_of(row: Outbox) -> str:
    """Returns the lane in which a row is delivered: all mails share one, and each target has its own, so that none waits for another."""
    return OutboxKind.MAIL if row.kind == OutboxKind.MAIL else row.recipient


def lease(session: Session, *, now: datetime, until: datetime, mails: int, full: Collection[str] = ()) -> list[Outbox]:
    """Leases rows that are due or whose lease has expired: up to `mails` mails, and one row of each target, outside the `full` lanes.

    No other courier gets them before `until`.
    """
    due = or_(
        and_(col(Outbox.status) == OutboxStatus.WAITING, col(Outbox.next_attempt_at) <= now),
        and_(col(Outbox.status) == OutboxStatus.SENDING, col(Outbox.claimed_until) <= now),
    )
    free_places = defaultdict[str, int](lambda: 1, {OutboxKind.MAIL: mails})
    rows: list[Outbox] = []
    while True:
        # SQLAlchemy omits SKIP LOCKED on SQLite, which does not know it and has only one writer at a time.
        ordered = select(Outbox).where(due, _outside(full)).order_by(col(Outbox.next_attempt_at)).limit(_READ_AT_ONCE)
        oldest = session.exec(ordered.with_for_update(skip_locked=True)).all()
        for row in oldest:
            lane = lane_of(row)
            if free_places[lane] > 0:
                free_places[lane] -= 1
                row.status = OutboxStatus.SENDING
                row.claimed_until = until
                row.attempts += 1
                rows.append(row)
        session.flush()
        filled = {lane for lane in map(lane_of, oldest) if free_places[lane] <= 0}
        if len(oldest) < _READ_AT_ONCE or not filled:
            return rows
        full = {*full, *filled}  # rows of other lanes may be younger than all that were read


def next_due(session: Session, full: Collection[str] = ()) -> datetime | None:
    """Returns the time at which the next row becomes due or the next lease expires, or None if no row waits or is leased.

    Rows in `full` lanes do not count.
    """
    open_lanes = _outside(full)
    waiting = session.exec(
        select(func.min(Outbox.next_attempt_at)).where(Outbox.status == OutboxStatus.WAITING, open_lanes)
    ).one()
    leased = session.exec(select(func.min(Outbox.claimed_until)).where(Outbox.status == OutboxStatus.SENDING, open_lanes)).one()
    return min((moment for moment in (waiting, leased) if moment), default=None)


def _outside(full: Collection[str]) -> ColumnElement[bool]:
    """Returns the condition for rows outside these lanes."""
    if not full:
        return true()
    is_mail = col(Outbox.kind) == OutboxKind.MAIL
    open_targets = and_(~is_mail, col(Outbox.recipient).not_in([lane for lane in full if lane != OutboxKind.MAIL]))
    return open_targets if OutboxKind.MAIL in full else or_(is_mail, open_targets)


def correct_dates(session: Session, *, now: datetime) -> None:
    """Makes rows due now whose date is later than any wait allows: the clock was ahead when the date was written."""
    execute = session.connection().execute
    attempts = col(Outbox.attempts)
    due = col(Outbox.next_attempt_at)
    leased_until = col(Outbox.claimed_until)
    waits = {number: wait_after(number) * (1 + SPREAD) + CLOCK_TOLERANCE for number in range(_DIFFERENT_WAITS)}
    overdue = [and_(attempts == number, due > now + wait) for number, wait in waits.items()]
    overdue.append(due > now + MAX_WAIT * (1 + SPREAD) + CLOCK_TOLERANCE)
    execute(update(Outbox).where(col(Outbox.status) == OutboxStatus.WAITING, or_(*overdue)).values(next_attempt_at=now))
    execute(
        update(Outbox)
        .where(col(Outbox.status) == OutboxStatus.SENDING, leased_until > now + 2 * LEASE)
        .values(claimed_until=now)
    )


def delete_old_rows(session: Session, templates: Collection[str], *, before: datetime, pending_before: datetime) -> int:
    """Deletes a batch of the rows with one of these templates that were created before this time. Returns the number of rows.

    Of those that are still to be sent, only rows created before `pending_before` are deleted.
    """
    is_pending = col(Outbox.status).in_((OutboxStatus.WAITING, OutboxStatus.SENDING))
    is_old = col(Outbox.created_at) < before, or_(~is_pending, col(Outbox.created_at) < pending_before)
    return delete_batch(session, Outbox, Outbox.id, col(Outbox.template).in_(templates), *is_old)


def wait_after(attempts: int) -> timedelta:
    """Returns the wait after so many failed attempts: it doubles each time up to MAX_WAIT, and is zero before the first attempt."""
    return min(FIRST_WAIT * 2 ** min(attempts - 1, 20), MAX_WAIT) if attempts else timedelta()


def settle_sent(session: Session, row: Outbox, *, now: datetime) -> None:
    """Marks the row as delivered and deletes its payload, because the lead still holds the content."""
    session.connection().execute(
        update(Outbox)
        .where(col(Outbox.id) == row.id)
        .values(status=OutboxStatus.SENT, sent_at=now, claimed_until=None, last_error="", payload={})
    )


def settle_failed(session: Session, row: Outbox, *, reason: str, due: datetime | None) -> None:
    """Schedules the next attempt at `due`, unless another process has leased the row by now.

    If `due` is None, the row is given up; it keeps its payload so that an operator can look at it and retry.
    """
    leased = and_(col(Outbox.id) == row.id, col(Outbox.status) == OutboxStatus.SENDING, col(Outbox.attempts) == row.attempts)
    values = {"status": OutboxStatus.WAITING, "next_attempt_at": due} if due else {"status": OutboxStatus.DEAD}
    session.connection().execute(update(Outbox).where(leased).values(**values, last_error=reason, claimed_until=None))


def counts(session: Session) -> dict[str, int]:
    """Returns the number of rows in each state."""
    by_status = dict(session.exec(select(Outbox.status, func.count()).group_by(Outbox.status)).all())
    return {state: by_status.get(state, 0) for state in OutboxStatus}


def counts_up_to(session: Session, most: int) -> dict[str, int]:
    """Returns the number of rows in each state, or `most` + 1 for more, so that a page does not count millions of sent mails."""
    some = {state: select(literal(1)).where(Outbox.status == state).limit(most + 1).subquery() for state in OutboxStatus}
    return {state: session.exec(select(func.count()).select_from(rows)).one() for state, rows in some.items()}


def failed_rows(session: Session, limit: int | None = None) -> list[dict[str, Any]]:
    """Returns the rows whose delivery failed so far or was given up, oldest first."""
    undelivered = (col(Outbox.status) == OutboxStatus.DEAD) | (
        (col(Outbox.status) == OutboxStatus.WAITING) & (col(Outbox.attempts) > 0)
    )
    return [
        {
            "reference": row.reference,
            "kind": row.kind,
            "template": row.template,
            "target": row.recipient if row.kind != OutboxKind.MAIL and "://" not in row.recipient else "",
            "status": row.status,
            "attempts": row.attempts,
            "problem": row.last_error,
            "next_attempt_at": row.next_attempt_at if row.status == OutboxStatus.WAITING else None,
        }
        for row in session.exec(select(Outbox).where(undelivered).order_by(col(Outbox.created_at)).limit(limit))
    ]


def retry(session: Session, *, now: datetime, reference: str | None = None) -> int:
    """Makes waiting and given-up rows due now, with their attempts counted from zero. Returns the number of rows."""
    stuck = col(Outbox.status).in_((OutboxStatus.WAITING, OutboxStatus.DEAD))
    conditions = stuck if reference is None else stuck & (col(Outbox.reference) == reference)
    values = {"status": OutboxStatus.WAITING, "attempts": 0, "next_attempt_at": now, "last_error": ""}
    return session.connection().execute(update(Outbox).where(conditions).values(**values)).rowcount
