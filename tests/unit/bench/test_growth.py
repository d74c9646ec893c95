"""A cost is said truly as it grows, and rows are multiplied without a clash."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.bench.growth import exponent, multiply


@pytest.mark.parametrize("power", [0, 0.5, 1, 2])
def test_the_exponent_of_a_power_is_found(power: float) -> None:
    assert exponent([(work, 3 * work**power) for work in (10, 100, 1000)]) == pytest.approx(power)


def test_one_amount_of_work_says_nothing_of_growth() -> None:
    with pytest.raises(ValueError, match="two amounts"):
        exponent([(10, 1), (10, 2)])


def test_copies_of_a_row_have_names_and_hours_of_their_own(tmp_path: Path) -> None:
    database = tmp_path / "site.db"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE visit (id INTEGER PRIMARY KEY, reference TEXT UNIQUE, starts_at TEXT, name TEXT)")
        connection.execute("INSERT INTO visit VALUES (1, 'V-1', '2030-01-02 09:30:00.000000', 'Ada')")

    multiply(database, "visit", 0, 1, range(1, 3))

    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT * FROM visit ORDER BY id").fetchall() == [
            (1, "V-1", "2030-01-02 09:30:00.000000", "Ada"),
            (1001, "V-1-1", "2030-01-02 08:30:00.000000", "Ada"),
            (2001, "V-1-2", "2030-01-02 07:30:00.000000", "Ada"),
        ]
