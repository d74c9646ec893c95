"""The audit log: who changed what. It contains no visitor data except references."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlmodel import Session, col, select

from site_app.provider.store.batches import delete_batch
from site_app.provider.store.tables import AuditEntry

COMMAND_LINE = "command line"


class Actor(NamedTuple):
    """Who makes a change, and when: the mail address of a person, or a name such as COMMAND_LINE."""

    name: str
    now: datetime


def record(session: Session, actor: Actor, action: str, reference: str = "", before: str = "", after: str = "") -> None:
    """Adds an entry to the audit log, in the transaction of the change. It must contain no visitor data except the reference."""
    session.add(AuditEntry(at=actor.now, person=actor.name, action=action, reference=reference, before=before, after=after))


def audit_entries(
    session: Session, reference: str = "", *, before: int | None = None, limit: int | None = 50
) -> Sequence[AuditEntry]:
    """Returns entries of the audit log, of all or of one reference, newest first. `before` is the number of the last entry shown."""
    statement = select(AuditEntry).order_by(col(AuditEntry.id).desc()).limit(limit)
    if reference:
        statement = statement.where(AuditEntry.reference == reference)
    return session.exec(statement.where(col(AuditEntry.id) < before) if before else statement).all()


def delete_old_entries(session: Session, *, before: datetime) -> int:
    """Deletes a batch of the entries written before this time. Returns the number of rows."""
    return delete_batch(session, AuditEntry, AuditEntry.id, col(AuditEntry.at) < before)
