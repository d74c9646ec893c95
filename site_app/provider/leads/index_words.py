"""Makes rows searchable that a release without the column `folded` has written."""

from typing import Any

from sqlalchemy import literal
from sqlmodel import Session, col, select, update

from site_app.provider.store.folded import folded_fields
from site_app.provider.store.tables import Attachment, Lead, Meeting, Note

_MOST_ROWS = 100  # of each table in one transaction: visitors' leads wait no longer than that takes
_TABLES: tuple[Any, ...] = (Lead, Meeting, Attachment, Note)


def index_words(session: Session) -> int:
    """Fill the empty column in some rows of each table; returns how many, 0 when none is left."""
    return sum(_index(session, table) for table in _TABLES)


def needs_index(session: Session) -> bool:
    """Return True while rows wait for `index_words`; reads alone, so that the whole tables are looked at without keeping writers out."""
    return any(session.exec(select(literal(1)).where(col(table.folded) == "").limit(1)).first() for table in _TABLES)


def _index(session: Session, table: Any) -> int:
    names, (key,) = table.__table__.c.folded.info["names"], table.__table__.primary_key
    empty = select(key, *(table.__table__.c[name] for name in names)).where(col(table.folded) == "").limit(_MOST_ROWS)
    rows = session.connection().execute(empty).all()
    for identity, *values in rows:
        folded = folded_fields(dict(zip(names, values, strict=True)), *names)
        session.connection().execute(update(table).where(key == identity).values(folded=folded))
    return len(rows)
