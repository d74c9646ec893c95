"""The outbox's rows: leased for delivery, marked by how it ended, counted, and tried again."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, or_, update
from sqlmodel import Session, col, func, select

from site_app.provider.store.tables import DEAD, SENDING, SENT, WAITING, WITHHELD, Outbox

FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=6)
SPREAD = 0.2  # of a wait, by chance
LEASE = timedelta(minutes=5)  # well past every time-out: a lease that old belongs to a dead process
_DIFFERENT_WAITS = 11  # after so many attempts all waits are equally long
_CLOCKS_DIFFER = timedelta(minutes=1)  # between machines that share an outbox


def lease(session: Session, *, now: datetime, until: datetime, limit: int) -> list[Outbox]:
    """Lease up to `limit` rows that are due, or whose lease has run out; nobody else gets them before `until`."""
    due = or_(
        and_(col(Outbox.status) == WAITING, col(Outbox.next_attempt_at) <= now),
        and_(col(Outbox.status) == SENDING, col(Outbox.claimed_until) <= now),
    )
    # SQLite has no SKIP LOCKED and leaves it out; its one writer at a time makes it needless.
    statement = select(Outbox).where(due).order_by(col(Outbox.next_attempt_at)).limit(limit).with_for_update(skip_locked=True)
    rows = list(session.exec(statement)) if limit else []
    for row in rows:
        row.status, row.claimed_until, row.attempts = SENDING, until, row.attempts + 1
    session.flush()
    return rows


def next_due(session: Session) -> datetime | None:
    """When the next row becomes due, or a lease runs out; None when the outbox is empty."""
    waiting = session.exec(select(func.min(Outbox.next_attempt_at)).where(Outbox.status == WAITING)).one()
    leased = session.exec(select(func.min(Outbox.claimed_until)).where(Outbox.status == SENDING)).one()
    return min((moment for moment in (waiting, leased) if moment), default=None)


def correct_dates(session: Session, *, now: datetime) -> None:
    """Make due at once what would wait longer than any row with so many attempts: the clock was ahead when its date was written."""
    run = session.connection().execute
    attempts, due, leased_until = col(Outbox.attempts), col(Outbox.next_attempt_at), col(Outbox.claimed_until)
    waits = {number: wait_after(number) * (1 + SPREAD) + _CLOCKS_DIFFER for number in range(_DIFFERENT_WAITS)}
    overdue = [and_(attempts == number, due > now + wait) for number, wait in waits.items()]
    overdue.append(due > now + LONGEST_WAIT * (1 + SPREAD) + _CLOCKS_DIFFER)
    run(update(Outbox).where(col(Outbox.status) == WAITING, or_(*overdue)).values(next_attempt_at=now))
    run(update(Outbox).where(col(Outbox.status) == SENDING, leased_until > now + 2 * LEASE).values(claimed_until=now))


def wait_after(attempts: int) -> timedelta:
    """How long to wait after so many failed attempts: ever longer, then again and again as long; not at all before the first."""
    return min(FIRST_WAIT * 2 ** min(attempts - 1, 20), LONGEST_WAIT) if attempts else timedelta()


def settle_sent(session: Session, row: Outbox, *, now: datetime) -> None:
    """It arrived; its content is deleted, because the lead has it."""
    session.connection().execute(
        update(Outbox)
        .where(col(Outbox.id) == row.id)
        .values(status=SENT, sent_at=now, claimed_until=None, last_error="", payload={})
    )


def settle_failed(session: Session, row: Outbox, *, reason: str, due: datetime | None) -> None:
    """It did not arrive and waits for another attempt, unless another process has leased it by now.

    Without a date it is given up, and keeps its content so that an operator can look at it and try again.
    """
    leased = and_(col(Outbox.id) == row.id, col(Outbox.status) == SENDING, col(Outbox.attempts) == row.attempts)
    ended = {"status": WAITING, "next_attempt_at": due} if due else {"status": DEAD}
    session.connection().execute(update(Outbox).where(leased).values(**ended, last_error=reason, claimed_until=None))


def counts(session: Session) -> dict[str, int]:
    """How many rows are in each state."""
    by_status = dict(session.exec(select(Outbox.status, func.count()).group_by(Outbox.status)).all())
    return {state: by_status.get(state, 0) for state in (WAITING, SENDING, SENT, DEAD, WITHHELD)}


def failed(session: Session) -> list[dict[str, Any]]:
    """Every row that was tried in vain or given up, the oldest first."""
    undelivered = (col(Outbox.status) == DEAD) | ((col(Outbox.status) == WAITING) & (col(Outbox.attempts) > 0))
    return [
        {
            "reference": row.reference,
            "kind": row.kind,
            "template": row.template,
            "status": row.status,
            "attempts": row.attempts,
            "problem": row.last_error,
            "next_attempt_at": row.next_attempt_at if row.status == WAITING else None,
        }
        for row in session.exec(select(Outbox).where(undelivered).order_by(col(Outbox.created_at)))
    ]


def retry(session: Session, *, now: datetime, reference: str | None = None) -> int:
    """Make due at once, from the first attempt again, what waits or was given up; returns how many rows those are."""
    stuck = col(Outbox.status).in_((WAITING, DEAD))
    conditions = stuck if reference is None else stuck & (col(Outbox.reference) == reference)
    values = {"status": WAITING, "attempts": 0, "next_attempt_at": now, "last_error": ""}
    return session.connection().execute(update(Outbox).where(conditions).values(**values)).rowcount
