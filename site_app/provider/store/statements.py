"""Statements that mean the same on SQLite and PostgreSQL."""

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from typing import Any, cast
from zlib import crc32

from sqlalchemy import insert, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel

_OURS = 72_616  # any constant: PostgreSQL's advisory locks are numbers, shared by whoever uses the database
_LOCKS = text("SELECT pg_advisory_xact_lock(:ours, lock) FROM unnest(CAST(:locks AS integer[])) AS lock")


def insert_statement(session: Session, table: type[SQLModel]) -> Any:
    """The dialect's own INSERT, which knows ON CONFLICT and how many rows went in."""
    return _counting(session.get_bind().dialect.name, table)


def insert_if_new(session: Session, table: type[SQLModel], row: Mapping[str, Any]) -> bool:
    """Insert the row unless one with a key of it is there; waits for a rival's commit, and says whether it went in."""
    dialect, kind = session.get_bind().dialect.name, cast(Hashable, table)
    done = session.connection().execute(_insert_or_not(dialect, kind), dict(row))
    return done.rowcount == 1


def insert_new_rows(session: Session, table: type[SQLModel], column: str, rows: Sequence[Mapping[str, Any]]) -> set[Any]:
    """The same for many rows of one shape; returns this column of those that went in."""
    statement = _insert_or_not(session.get_bind().dialect.name, cast(Hashable, table), column)
    return set(session.connection().execute(statement, rows).scalars())


def insert_rows(session: Session, table: type[SQLModel], rows: Sequence[SQLModel]) -> None:
    """Insert rows that nobody will change in this session, without what they are to get from the database."""
    if rows:
        session.connection().execute(_insert(cast(Hashable, table)), [row.model_dump(exclude={"id"}) for row in rows])


@cache
def _insert(table: Any) -> Any:
    return insert(table)


@cache
def _insert_or_not(dialect: str, table: Any, returned: str = "") -> Any:
    # Made once: SQLAlchemy knows a statement again by its identity faster than by its looks.
    statement = _counting(dialect, table).on_conflict_do_nothing()
    return statement.returning(getattr(table, returned)) if returned else statement


def _counting(dialect: str, table: type[SQLModel]) -> Any:
    # Unasked, SQLAlchemy 2.1 forgets the count of an INSERT on PostgreSQL and says -1.
    statement = (postgresql if dialect == "postgresql" else sqlite).insert(table)
    return statement.execution_options(preserve_rowcount=True)


def advisory_lock(session: Session, *names: str) -> None:
    """Wait until no other transaction holds any of these locks, and hold them until this one ends."""
    if session.get_bind().dialect.name == "postgresql":  # SQLite lets one write at a time anyway
        # In one order everywhere, so that no two transactions wait for each other.
        numbers = sorted({crc32(name.encode()) - 2**31 for name in names})
        session.connection().execute(_LOCKS, {"ours": _OURS, "locks": numbers})
