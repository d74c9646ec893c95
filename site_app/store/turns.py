"""Work that several processes may begin at once, and that one at a time does."""

from zlib import crc32

from sqlalchemy import text
from sqlmodel import Session

_OURS = 72_616  # any constant: PostgreSQL's advisory locks are numbers, shared by whoever uses the database


def take_turns(session: Session, errand: str) -> None:
    """Wait until nobody else is at this errand; the turn ends with the transaction."""
    if session.get_bind().dialect.name == "postgresql":  # SQLite lets one write at a time anyway
        signed = crc32(errand.encode()) - 2**31
        session.connection().execute(text("SELECT pg_advisory_xact_lock(:ours, :errand)"), {"ours": _OURS, "errand": signed})
