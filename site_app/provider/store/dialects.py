"""Statements that differ between SQLite and PostgreSQL, and those whose compiled form is used again: inserts and locks."""

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, cast
from zlib import crc32

from sqlalchemy import insert, text
from sqlmodel import Session, SQLModel

_LOCK_NAMESPACE = 72_616  # any constant: advisory locks are numbers that all programs of a PostgreSQL database share
_NOT_INSERTED = ("id", "_sa_instance_state")  # of the attributes of a row
_LOCKS = text("SELECT pg_advisory_xact_lock(:namespace, lock) FROM unnest(CAST(:locks AS integer[])) AS lock")


def insert_statement(session: Session, table: type[SQLModel]) -> Any:
    """Returns the dialect's own INSERT, which supports ON CONFLICT and counts the inserted rows."""
    return _counted_insert(session.get_bind().dialect.name, table)


def insert_if_new(session: Session, table: type[SQLModel], row: Mapping[str, Any]) -> bool:
    """Inserts the row unless one of its unique keys exists, and returns True if it was inserted.

    If another transaction is inserting the same key, waits until that one has ended.
    """
    statement = _insert_or_ignore(session.get_bind().dialect.name, cast(Hashable, table))
    return session.connection().execute(statement, dict(row)).rowcount == 1


def insert_new_rows(session: Session, table: type[SQLModel], rows: Sequence[Mapping[str, Any]]) -> int:
    """Inserts rows with the same columns as `insert_if_new` does, and returns the number of inserted rows."""
    statement = _insert_or_ignore(session.get_bind().dialect.name, cast(Hashable, table))
    return session.connection().execute(statement, rows).rowcount


def insert_rows(session: Session, table: type[SQLModel], rows: Sequence[SQLModel]) -> None:
    """Inserts rows that this session does not touch again; their ids and defaults are not read back."""
    if rows:
        # Not `for name, value in row`: pydantic's iterator takes three times as long.
        values = [{name: value for name, value in vars(row).items() if name not in _NOT_INSERTED} for row in rows]
        session.connection().execute(_insert(cast(Hashable, table)), values)


@cache
def _insert(table: Any) -> Any:
    return insert(table)


@cache
def _insert_or_ignore(dialect: str, table: Any) -> Any:
    # Built once: SQLAlchemy finds the compiled form of the same object faster than that of an equal object.
    return _counted_insert(dialect, table).on_conflict_do_nothing()


def _counted_insert(dialect: str, table: type[SQLModel]) -> Any:
    # Without this option SQLAlchemy 2.1 reports -1 for an INSERT on PostgreSQL.
    # The other dialect stays unimported, a process has one database: PostgreSQL's alone takes 4 MB.
    statement = import_module(f"sqlalchemy.dialects.{dialect}").insert(table)
    return statement.execution_options(preserve_rowcount=True)


def advisory_lock(session: Session, *names: str) -> None:
    """Takes these locks, waiting for other transactions that hold them, until this transaction ends."""
    if session.get_bind().dialect.name == "postgresql":  # SQLite has only one writer at a time
        # Always in the same order, so that two transactions cannot deadlock.
        numbers = sorted({crc32(name.encode()) - 2**31 for name in names})
        session.connection().execute(_LOCKS, {"namespace": _LOCK_NAMESPACE, "locks": numbers})
