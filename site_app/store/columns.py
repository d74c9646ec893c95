"""Column types and statements that mean the same on SQLite and PostgreSQL."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Dialect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.types import TypeDecorator
from sqlmodel import Session, SQLModel


class UtcDateTime(TypeDecorator[datetime]):
    """An instant: aware going in, aware and in UTC coming out, also where the database knows no zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone, so it is no instant")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def insert_statement(session: Session, table: type[SQLModel]) -> Any:
    """The dialect's own INSERT, which knows ON CONFLICT."""
    dialect = session.get_bind().dialect.name
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)


def insert_if_new(session: Session, table: type[SQLModel], row: Mapping[str, Any]) -> bool:
    """Insert the row unless one with a key of it is there; waits for a rival's commit, and says whether it went in."""
    done = session.connection().execute(insert_statement(session, table).values(**row).on_conflict_do_nothing())
    return done.rowcount == 1
