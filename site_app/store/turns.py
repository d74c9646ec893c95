"""Work that several processes may begin at once, and that one at a time does."""

from zlib import crc32

from sqlalchemy import text
from sqlmodel import Session

_OURS = 72_616  # any constant: PostgreSQL's advisory locks are numbers, shared by whoever uses the database
_LOCKS = text("SELECT pg_advisory_xact_lock(:ours, errand) FROM unnest(CAST(:errands AS integer[])) AS errand")


def take_turns(session: Session, *errands: str) -> None:
    """Wait until nobody else is at any of these errands; the turn ends with the transaction."""
    if session.get_bind().dialect.name == "postgresql":  # SQLite lets one write at a time anyway
        # In one order everywhere, so that no two wait for each other.
        signed = sorted({crc32(errand.encode()) - 2**31 for errand in errands})
        session.connection().execute(_LOCKS, {"ours": _OURS, "errands": signed})
