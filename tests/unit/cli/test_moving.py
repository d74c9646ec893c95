"""A backup of a SQLite site becomes a PostgreSQL site: the command `restore` moves every row. Needs TEST_POSTGRES_URL."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, Boolean, Column, Date, Integer, LargeBinary, Table, inspect, select, text
from typer.testing import CliRunner, Result

from site_app.cli.main import make
from site_app.core.settings import settings
from site_app.provider.store import brief_engine, in_transaction
from site_app.provider.store.columns import ExactDecimal, Row, UtcDateTime
from site_app.provider.store.copies import set_tables_aside
from site_app.provider.store.migration import upgrade
from tests.support.databases import ON_POSTGRES, empty_database
from tests.support.records import a_file, a_message
from tests.unit.store.first_release import write_first_release

pytestmark = ON_POSTGRES
TABLES = {table.name: table for table in Row.metadata.sorted_tables}
NIGHT_OF_TWO_HOURS = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)  # 01:30 in London, the first of two
VALUES: dict[type, Callable[[int], Any]] = {
    UtcDateTime: lambda number: NIGHT_OF_TWO_HOURS + timedelta(hours=number, microseconds=number),
    ExactDecimal: lambda number: Decimal(f"0.1{number}0"),
    JSON: lambda number: {"ไทย": ["Ł", None, 1.5, True, {"line\nbreak": number}]},
    LargeBinary: lambda number: bytes(range(256)) * number,
    Boolean: lambda number: number == 1,
    Date: lambda number: date(2028, 2, 27 + number),
    Integer: lambda number: 40 + number,
}
# The second row of a table has no values where it may have none, except where a constraint wants some.
CONSTRAINED = {
    ("booking_cell", 1): {"hold_id": None, "expires_at": None},
    ("booking_cell", 2): {"hold_id": "hold.id 2 🌊", "expires_at": NIGHT_OF_TWO_HOURS},
    ("customer_payment", 2): {"repaid": Decimal(0)},
}


def value_of(column: Column[Any], number: int) -> Any:
    for key in column.foreign_keys:
        return value_of(key.column, number)
    default: Callable[[int], Any] = lambda number: f"{column} {number} 🌊"  # noqa: E731
    return next((make for kind, make in VALUES.items() if isinstance(column.type, kind)), default)(number)


def sample_row(table: Table, number: int) -> dict[str, Any]:
    row = {
        column.key: None if number == 2 and column.nullable and not column.primary_key else value_of(column, number)
        for column in table.columns
    }
    return row | CONSTRAINED.get((table.name, number), {})


def rows_of(url: str) -> dict[str, list[dict[str, Any]]]:
    with brief_engine(url, read_only=True) as engine, engine.connect() as connection:
        rows = {name: connection.execute(select(table)).mappings() for name, table in TABLES.items()}
        return {name: sorted(map(dict, mappings), key=repr) for name, mappings in rows.items()}


class Move:
    """A SQLite site and an empty PostgreSQL database, and the commands run against the one or the other."""

    def __init__(self, folder: Path, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sqlite_var, self.var = folder / "sqlite", folder / "postgresql"
        self.source, self.target = f"sqlite:///{self.sqlite_var / 'site.db'}", target
        self.file = folder / "backup.tar"
        self._patch = monkeypatch
        self.sqlite_var.mkdir()

    def back_up(self) -> Result:
        self.file.unlink(missing_ok=True)
        return self._run(self.sqlite_var, self.source, "backup", str(self.file))

    def restore(self, *options: str) -> Result:
        return self._run(self.var, self.target, "restore", str(self.file), *options)

    def _run(self, var: Path, url: str, *arguments: str) -> Result:
        self._patch.setenv("SITE_VAR", str(var))
        self._patch.setenv("SITE_DATABASE_URL", url)
        settings.cache_clear()
        return CliRunner().invoke(make(), list(arguments))

    def keep(self, url: str, *rows: Row) -> None:
        with brief_engine(url) as engine:
            in_transaction(engine, lambda session: session.add_all(rows))


@pytest.fixture
def move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Move]:
    with ExitStack() as databases:
        yield Move(tmp_path, databases.enter_context(empty_database(tmp_path)), monkeypatch)
    settings.cache_clear()


@pytest.fixture
def full(move: Move) -> Move:
    """A site with two rows in each table."""
    upgrade(move.source)
    with brief_engine(move.source) as engine, engine.begin() as connection:
        for table in TABLES.values():
            connection.execute(table.insert(), [sample_row(table, number) for number in (1, 2)])
    return move


def test_each_value_of_each_table_is_moved(full: Move) -> None:
    assert full.back_up().exit_code == 0

    result = full.restore()

    assert result.exit_code == 0, result.output
    assert f"{2 * len(TABLES)} rows in {len(TABLES)} tables were moved from SQLite to PostgreSQL" in result.output
    assert rows_of(full.target) == rows_of(full.source)


def test_new_rows_get_new_numbers_afterwards(full: Move) -> None:
    full.back_up()
    full.restore()

    full.keep(full.target, a_message(reference="M-0001-22"))

    assert [row["id"] for row in rows_of(full.target)["lead"]] == [41, 42, 43]


def test_a_table_without_rows_begins_with_one(move: Move) -> None:
    upgrade(move.source)
    move.back_up()
    assert move.restore().exit_code == 0

    move.keep(move.target, a_message())

    assert [row["id"] for row in rows_of(move.target)["lead"]] == [1]


def test_files_and_the_secret_move_too(move: Move) -> None:
    upgrade(move.source)
    stored = "0f" * 16
    (move.sqlite_var / "attachments").mkdir()
    (move.sqlite_var / "attachments" / stored).write_bytes(b"a drawing")
    (move.sqlite_var / "secret").write_text("s" * 32)
    move.keep(move.source, a_file(stored))
    move.back_up()

    result = move.restore()

    assert "1 attachments are back" in result.output
    assert (move.var / "attachments" / stored).read_bytes() == b"a drawing"
    assert (move.var / "secret").read_text() == "s" * 32


def test_a_database_with_tables_is_refused_or_set_aside(full: Move) -> None:
    full.back_up()
    upgrade(full.target)
    full.keep(full.target, a_message(reference="M-0002-22"))

    refused = full.restore()
    leads_then = [row["reference"] for row in rows_of(full.target)["lead"]]
    replaced = full.restore("--replace")

    assert refused.exit_code == 1
    assert "The database has tables already" in refused.output
    assert leads_then == ["M-0002-22"]
    assert replaced.exit_code == 0, replaced.output
    assert "The previous tables are now in the schema before_" in replaced.output
    assert rows_of(full.target) == rows_of(full.source)


def test_a_database_in_use_is_refused(full: Move) -> None:
    full.back_up()
    with brief_engine(full.target) as engine, engine.connect():
        result = full.restore()

    assert result.exit_code == 1
    assert "stop the site first" in result.output


def test_a_worker_of_postgresql_itself_is_no_use_of_the_database(move: Move) -> None:
    """Its autovacuum looks at each database every minute."""
    worker = "SELECT current_database() AS datname, 0 AS pid, 'autovacuum worker' AS backend_type"
    with brief_engine(move.target) as engine, engine.begin() as connection:
        connection.execute(text("CREATE SCHEMA shadow"))
        connection.execute(text(f"CREATE VIEW shadow.pg_stat_activity AS {worker}"))
        connection.execute(text("SET LOCAL search_path = shadow, pg_catalog"))

        assert set_tables_aside(connection, replace=False, now=NIGHT_OF_TWO_HOURS) == ""


def test_a_row_that_postgresql_rejects_is_named_and_nothing_is_moved(full: Move) -> None:
    with brief_engine(full.source) as engine, engine.begin() as connection:
        connection.execute(TABLES["note"].update().values(text="a\0b"))
    full.back_up()

    result = full.restore()

    assert result.exit_code == 1
    assert "PostgreSQL rejects a row of the table note" in result.output
    with brief_engine(full.target) as engine:
        assert inspect(engine).get_table_names() == []


def test_a_backup_of_the_first_release_is_brought_up_to_date_on_the_way(move: Move, tmp_path: Path) -> None:
    shutil.move(write_first_release(tmp_path), move.sqlite_var / "site.db")
    move.back_up()

    result = move.restore()

    assert result.exit_code == 0, result.output
    upgrade(move.source)
    assert rows_of(move.target) == rows_of(move.source)
    assert rows_of(move.target)["lead"]


def test_a_backup_of_postgresql_is_not_moved_to_sqlite(move: Move) -> None:
    upgrade(move.target)
    move.source, move.target = move.target, move.source
    move.back_up()

    result = move.restore()

    assert result.exit_code == 1
    assert "only SQLite can be moved" in result.output
