"""What has not been delivered, and how to have it tried again."""

from datetime import datetime
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, func, select

from site_app.store.tables import DEAD, SENDING, SENT, WAITING, WITHHELD, Outbox

STATES = (WAITING, SENDING, SENT, DEAD, WITHHELD)


def counts(session: Session) -> dict[str, int]:
    """How many rows are in each state."""
    found = dict(session.exec(select(Outbox.status, func.count()).group_by(Outbox.status)).all())
    return {state: found.get(state, 0) for state in STATES}


def troubled(session: Session) -> list[dict[str, Any]]:
    """Every row that was tried in vain or given up, the oldest first."""
    late = (col(Outbox.status) == DEAD) | ((col(Outbox.status) == WAITING) & (col(Outbox.attempts) > 0))
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
        for row in session.exec(select(Outbox).where(late).order_by(col(Outbox.created_at)))
    ]


def retry(session: Session, *, now: datetime, reference: str | None = None) -> int:
    """Have what waits or was given up tried at once, from the first attempt again; returns how many rows that are."""
    stuck = col(Outbox.status).in_((WAITING, DEAD))
    chosen = stuck if reference is None else stuck & (col(Outbox.reference) == reference)
    done = session.connection().execute(
        update(Outbox).where(chosen).values(status=WAITING, attempts=0, next_attempt_at=now, last_error="")
    )
    return done.rowcount
