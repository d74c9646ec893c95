"""Moves a copied SQLite database into PostgreSQL: all rows, in one transaction with the tables that they go into."""

from datetime import datetime
from pathlib import Path

from sqlalchemy import Column, Connection, Table, func, select
from sqlalchemy.exc import DBAPIError

from site_app.provider.store import tables
from site_app.provider.store.copies import NotCopied, sentence_of_schema, set_tables_aside
from site_app.provider.store.engine import brief_engine
from site_app.provider.store.migration import upgrade, upgrade_within

_ROWS_AT_ONCE = 100  # rows of pictures have some megabytes each


def restore_into_postgresql(url: str, file: Path, *, replace: bool, now: datetime) -> str:
    """Fills the PostgreSQL database with the rows of the SQLite file, which is brought up to date first.

    Returns a sentence with the number of rows. Raises NotCopied, with nothing changed, under the conditions of `copies.restore`, or if
    a table then has another number of rows than in the file.
    """
    source_url = f"sqlite:///{file}"
    upgrade(source_url)
    with (
        brief_engine(source_url, read_only=True) as source_engine,
        brief_engine(url) as target_engine,
        source_engine.connect() as source,
        target_engine.begin() as target,
    ):
        old_schema = set_tables_aside(target, replace=replace, now=now)
        upgrade_within(target)
        counts = {table.name: _move_rows(table, source, target) for table in tables.Row.metadata.sorted_tables}
    moved = f"{sum(counts.values())} rows in {len(counts)} tables were moved from SQLite to PostgreSQL, and counted in each."
    return f"{moved} {sentence_of_schema(old_schema)}".rstrip()


def _move_rows(table: Table, source: Connection, target: Connection) -> int:
    """Copies the rows of a table, sets its sequence, and returns their number."""
    keys = [column.key for column in table.columns]  # the column `said` has the key `own_fields`
    rows = source.execution_options(yield_per=_ROWS_AT_ONCE).execute(select(table))
    try:
        for part in rows.partitions():
            target.execute(table.insert(), [dict(zip(keys, row, strict=True)) for row in part])
    except DBAPIError as error:
        message = str(error.orig).strip().partition("\n")[0]
        raise NotCopied(f"PostgreSQL rejects a row of the table {table.name}: {message}. Nothing was moved.") from None
    if (key := table.autoincrement_column) is not None:
        _continue_after(key, target)
    in_source, in_target = (
        connection.execute(select(func.count()).select_from(table)).scalar_one() for connection in (source, target)
    )
    if in_source != in_target:
        raise NotCopied(f"The table {table.name} has {in_target} rows instead of {in_source}. Nothing was moved.")
    return in_target


def _continue_after(key: Column[int], target: Connection) -> None:
    """Sets the sequence of the column, so that the next row gets a number above all that are there."""
    sequence = func.pg_get_serial_sequence(f'"{key.table.name}"', key.name)
    highest = select(func.max(key)).scalar_subquery()
    target.execute(select(func.setval(sequence, func.coalesce(highest, 1), highest.is_not(None))))
