"""Fills the column `folded`, in which a search looks for words, where it is empty: in rows of an older release, or after a change."""

from typing import Any

from sqlalchemy import literal
from sqlmodel import Session, select, update

from site_app.provider.store.columns import UNFOLDED, folded_fields
from site_app.provider.store.tables import Attachment, Lead, Meeting, Note

_MAX_ROWS = 100  # of each table in one transaction, so that visitors' leads wait only briefly
_INDEXED_TABLES: tuple[Any, ...] = (Lead, Meeting, Attachment, Note)


def index_words(session: Session) -> int:
    """Fills the empty column `folded` in some rows of each table. Returns the number of rows, or 0 when all are filled or being changed."""
    return sum(_index(session, table) for table in _INDEXED_TABLES)


def needs_index(session: Session) -> bool:
    """Returns True while rows wait for `index_words`. It only reads, so that it does not block writers."""
    return any(
        session.exec(select(literal(1)).select_from(table).where(UNFOLDED).limit(1)).first() for table in _INDEXED_TABLES
    )


def _index(session: Session, table: Any) -> int:
    names = table.__table__.c.folded.info["names"]
    (key,) = table.__table__.primary_key
    empty = select(key, *(table.__table__.c[name] for name in names)).where(UNFOLDED).limit(_MAX_ROWS)
    empty = empty.with_for_update(skip_locked=True)  # otherwise the words of a row that is being changed would be its old ones
    rows = session.connection().execute(empty).all()
    for identity, *values in rows:
        folded = folded_fields(dict(zip(names, values, strict=True)), *names)
        session.connection().execute(update(table).where(key == identity).values(folded=folded))
    return len(rows)
