"""Runs migrations: in the transaction that the store passes in, or on SITE_DATABASE_URL for the alembic command."""

from typing import Any, Literal

from sqlalchemy import Connection
from sqlmodel.sql.sqltypes import AutoString

from alembic import context
from site_app.core.settings import settings_or_exit
from site_app.provider.store import brief_engine, database_url
from site_app.provider.store.columns import UtcDateTime, add_postgresql_conditions
from site_app.provider.store.tables import Row  # the columns know no table


def run(connection: Connection) -> None:
    add_postgresql_conditions(Row.metadata)
    context.configure(
        connection=connection,
        target_metadata=Row.metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        render_item=plain,
    )
    with context.begin_transaction():
        context.run_migrations()


def plain(kind: str, item: Any, _context: object) -> str | Literal[False]:
    """Renders our column types as SQLAlchemy's, so that a migration still runs after ours have been moved or renamed."""
    if kind == "type" and isinstance(item, AutoString):
        return "sa.String()"
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    return False


if (given := context.config.attributes.get("connection")) is not None:
    run(given)
else:
    here = settings_or_exit()
    with brief_engine(database_url(here.database_url, here.var)) as engine, engine.begin() as opened:
        run(opened)
