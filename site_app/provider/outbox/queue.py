"""Queries on the outbox's rows: lease them for delivery, store the outcome, count them, retry them."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, or_, true, update
from sqlmodel import Session, col, func, select

from site_app.provider.store.tables import DEAD, MAIL, SENDING, SENT, WAITING, WITHHELD, Outbox

FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=6)
SPREAD = 0.2  # random share by which a wait is longer or shorter
LEASE = timedelta(minutes=5)  # well beyond every timeout: an expired lease belongs to a dead process
_DIFFERENT_WAITS = 11  # from this number of attempts on, every wait is LONGEST_WAIT
_CLOCKS_DIFFER = timedelta(minutes=1)  # tolerated between machines that share an outbox
_READ_AT_ONCE = 32  # due rows of which some are leased


def lane_of(row: Outbox) -> str:
    """Returns the lane in which a row is delivered: all mails share one, and each target has its own, so that none waits for another."""
    return MAIL if row.kind == MAIL else row.recipient


def lease(session: Session, *, now: datetime, until: datetime, mails: int, full: Collection[str] = ()) -> list[Outbox]:
    """Leases rows that are due or whose lease has expired: up to `mails` mails, and one row of each target, outside the `full` lanes.

    No other courier gets them before `until`.
    """
    due = or_(
        and_(col(Outbox.status) == WAITING, col(Outbox.next_attempt_at) <= now),
        and_(col(Outbox.status) == SENDING, col(Outbox.claimed_until) <= now),
    )
    # SQLAlchemy omits SKIP LOCKED on SQLite, which does not know it and has only one writer at a time.
    ordered = select(Outbox).where(due, _outside(full)).order_by(col(Outbox.next_attempt_at))
    rows: list[Outbox] = []
    taken = Counter[str]()
    for row in session.exec(ordered.limit(_READ_AT_ONCE).with_for_update(skip_locked=True)):
        lane = lane_of(row)
        if taken[lane] < (mails if lane == MAIL else 1):
            taken[lane] += 1
            row.status, row.claimed_until, row.attempts = SENDING, until, row.attempts + 1
            rows.append(row)
    session.flush()
    return rows


def next_due(session: Session, full: Collection[str] = ()) -> datetime | None:
    """Returns the time at which the next row becomes due or the next lease expires, or None if no row waits or is leased.

    Rows in `full` lanes do not count.
    """
    open_lanes = _outside(full)
    waiting = session.exec(select(func.min(Outbox.next_attempt_at)).where(Outbox.status == WAITING, open_lanes)).one()
    leased = session.exec(select(func.min(Outbox.claimed_until)).where(Outbox.status == SENDING, open_lanes)).one()
    return min((moment for moment in (waiting, leased) if moment), default=None)


def _outside(full: Collection[str]) -> ColumnElement[bool]:
    """Returns the condition for rows outside these lanes."""
    if not full:
        return true()
    is_mail = col(Outbox.kind) == MAIL
    open_targets = and_(~is_mail, col(Outbox.recipient).not_in([lane for lane in full if lane != MAIL]))
    return open_targets if MAIL in full else or_(is_mail, open_targets)


def correct_dates(session: Session, *, now: datetime) -> None:
    """Makes rows due now whose date is later than any wait allows: the clock was ahead when the date was written."""
    run = session.connection().execute
    attempts, due, leased_until = col(Outbox.attempts), col(Outbox.next_attempt_at), col(Outbox.claimed_until)
    waits = {number: wait_after(number) * (1 + SPREAD) + _CLOCKS_DIFFER for number in range(_DIFFERENT_WAITS)}
    overdue = [and_(attempts == number, due > now + wait) for number, wait in waits.items()]
    overdue.append(due > now + LONGEST_WAIT * (1 + SPREAD) + _CLOCKS_DIFFER)
    run(update(Outbox).where(col(Outbox.status) == WAITING, or_(*overdue)).values(next_attempt_at=now))
    run(update(Outbox).where(col(Outbox.status) == SENDING, leased_until > now + 2 * LEASE).values(claimed_until=now))


def wait_after(attempts: int) -> timedelta:
    """Returns the wait after so many failed attempts: it doubles each time up to LONGEST_WAIT, and is zero before the first attempt."""
    return min(FIRST_WAIT * 2 ** min(attempts - 1, 20), LONGEST_WAIT) if attempts else timedelta()


def settle_sent(session: Session, row: Outbox, *, now: datetime) -> None:
    """Marks the row as delivered and deletes its payload, because the lead still holds the content."""
    session.connection().execute(
        update(Outbox)
        .where(col(Outbox.id) == row.id)
        .values(status=SENT, sent_at=now, claimed_until=None, last_error="", payload={})
    )


def settle_failed(session: Session, row: Outbox, *, reason: str, due: datetime | None) -> None:
    """Schedules the next attempt at `due`, unless another process has leased the row by now.

    If `due` is None, the row is given up; it keeps its payload so that an operator can look at it and retry.
    """
    leased = and_(col(Outbox.id) == row.id, col(Outbox.status) == SENDING, col(Outbox.attempts) == row.attempts)
    ended = {"status": WAITING, "next_attempt_at": due} if due else {"status": DEAD}
    session.connection().execute(update(Outbox).where(leased).values(**ended, last_error=reason, claimed_until=None))


def counts(session: Session) -> dict[str, int]:
    """Returns the number of rows in each state."""
    by_status = dict(session.exec(select(Outbox.status, func.count()).group_by(Outbox.status)).all())
    return {state: by_status.get(state, 0) for state in (WAITING, SENDING, SENT, DEAD, WITHHELD)}


def failed(session: Session) -> list[dict[str, Any]]:
    """Returns every row whose delivery failed so far or was given up, oldest first."""
    undelivered = (col(Outbox.status) == DEAD) | ((col(Outbox.status) == WAITING) & (col(Outbox.attempts) > 0))
    return [
        {
            "reference": row.reference,
            "kind": row.kind,
            "template": row.template,
            "target": row.recipient if row.kind != MAIL and "://" not in row.recipient else "",
            "status": row.status,
            "attempts": row.attempts,
            "problem": row.last_error,
            "next_attempt_at": row.next_attempt_at if row.status == WAITING else None,
        }
        for row in session.exec(select(Outbox).where(undelivered).order_by(col(Outbox.created_at)))
    ]


def retry(session: Session, *, now: datetime, reference: str | None = None) -> int:
    """Makes waiting and given-up rows due now, with their attempts counted from zero. Returns the number of rows."""
    stuck = col(Outbox.status).in_((WAITING, DEAD))
    conditions = stuck if reference is None else stuck & (col(Outbox.reference) == reference)
    values = {"status": WAITING, "attempts": 0, "next_attempt_at": now, "last_error": ""}
    return session.connection().execute(update(Outbox).where(conditions).values(**values)).rowcount
