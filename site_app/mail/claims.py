"""What the courier does to the outbox: claim rows, and write down how each delivery ended."""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import and_, or_, update
from sqlmodel import Session, col, func, select

from site_app.store.tables import DEAD, SENDING, SENT, WAITING, Outbox

_DIFFERENT_WAITS = 11  # after so many attempts all waits are equally long


def claim(session: Session, *, now: datetime, until: datetime, limit: int) -> list[Outbox]:
    """Take up to `limit` rows that are due, or whose claim has run out; nobody else gets them before `until`."""
    due = or_(
        and_(col(Outbox.status) == WAITING, col(Outbox.next_attempt_at) <= now),
        and_(col(Outbox.status) == SENDING, col(Outbox.claimed_until) <= now),
    )
    # SQLite has no SKIP LOCKED and leaves it out; its one writer at a time makes it needless.
    chosen = select(Outbox).where(due).order_by(col(Outbox.next_attempt_at)).limit(limit).with_for_update(skip_locked=True)
    rows = list(session.exec(chosen)) if limit else []
    for row in rows:
        row.status, row.claimed_until, row.attempts = SENDING, until, row.attempts + 1
    session.flush()
    return rows


def next_due(session: Session) -> datetime | None:
    """When the next row becomes due, or a claim runs out; None when the outbox is empty."""
    waiting = session.exec(select(func.min(Outbox.next_attempt_at)).where(Outbox.status == WAITING)).one()
    claimed = session.exec(select(func.min(Outbox.claimed_until)).where(Outbox.status == SENDING)).one()
    return min((moment for moment in (waiting, claimed) if moment), default=None)


def forget_impossible_dates(session: Session, *, now: datetime, lease: timedelta, longest: Callable[[int], timedelta]) -> int:
    """Have tried at once what would wait longer than any row with so many attempts: the clock was ahead when it was put off.

    Returns how many rows that were.
    """
    run = session.connection().execute
    attempts, due, claimed = col(Outbox.attempts), col(Outbox.next_attempt_at), col(Outbox.claimed_until)
    waits = [and_(attempts == number, due > now + longest(number)) for number in range(_DIFFERENT_WAITS)]
    waits.append(and_(attempts >= _DIFFERENT_WAITS, due > now + longest(_DIFFERENT_WAITS)))
    waiting = and_(col(Outbox.status) == WAITING, due > now + longest(0), or_(*waits))
    sending = and_(col(Outbox.status) == SENDING, claimed > now + 2 * lease)
    back = run(update(Outbox).where(waiting).values(next_attempt_at=now)).rowcount
    return back + run(update(Outbox).where(sending).values(claimed_until=now)).rowcount


def settle_sent(session: Session, row: Outbox, *, now: datetime) -> None:
    """It arrived: its content is forgotten, the lead has it."""
    session.connection().execute(
        update(Outbox)
        .where(col(Outbox.id) == row.id)
        .values(status=SENT, sent_at=now, claimed_until=None, last_error="", payload={})
    )


def settle_later(session: Session, row: Outbox, *, why: str, due: datetime) -> None:
    """It did not arrive: it waits for another attempt, unless somebody else has it in hand by now."""
    _settle(session, row, {"status": WAITING, "next_attempt_at": due, "last_error": why, "claimed_until": None})


def settle_dead(session: Session, row: Outbox, *, why: str) -> None:
    """It is given up, and stays as it is for the operator to look at and try again."""
    _settle(session, row, {"status": DEAD, "last_error": why, "claimed_until": None})


def _settle(session: Session, row: Outbox, values: dict[str, object]) -> None:
    mine = and_(col(Outbox.id) == row.id, col(Outbox.status) == SENDING, col(Outbox.attempts) == row.attempts)
    session.connection().execute(update(Outbox).where(mine).values(**values))
