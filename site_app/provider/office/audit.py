"""Who changed what: a line for each change, whether it came from the office's pages or from a command."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from site_app.provider.store.tables import AuditEntry

COMMAND_LINE = "command line"


def record(
    session: Session, person: str, action: str, reference: str = "", before: str = "", after: str = "", *, now: datetime
) -> None:
    """Add a line in the transaction of the change itself. Of a visitor it may hold the reference alone."""
    session.add(AuditEntry(at=now, person=person, action=action, reference=reference, before=before, after=after))


def lines(session: Session, reference: str = "", *, before: int | None = None, limit: int | None = 50) -> Sequence[AuditEntry]:
    """The newest lines first, of all or of one reference; `before` is the number of the last line already seen."""
    asked = select(AuditEntry).order_by(col(AuditEntry.id).desc()).limit(limit)
    if reference:
        asked = asked.where(AuditEntry.reference == reference)
    return session.exec(asked.where(col(AuditEntry.id) < before) if before else asked).all()
