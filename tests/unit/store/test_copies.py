"""pg_dump and pg_restore connect as the site does."""

import os
from pathlib import Path

import pytest

from site_app.provider.store.copies import NotCopied, copy


@pytest.fixture
def environment_of_pg_dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Puts a pg_dump in front of the real one that writes its environment into this file."""
    program = tmp_path / "programs" / "pg_dump"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nenv > {tmp_path / 'environment'}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return tmp_path / "environment"


@pytest.mark.parametrize(
    ("address", "variables"),
    [
        ("site:hunter2@db.internal:5433/site", ["PGHOST=db.internal", "PGPORT=5433", "PGUSER=site", "PGPASSWORD=hunter2"]),
        ("/site?host=/run/pg&port=5433&user=site&password=hunter2", ["PGHOST=/run/pg", "PGPORT=5433", "PGPASSWORD=hunter2"]),
        ("db/site?host=a.internal:1&host=b.internal:2", ["PGHOST=a.internal,b.internal", "PGPORT=1,2"]),
        ("db/site?sslcert=/c&sslkey=/k&sslrootcert=/r", ["PGSSLCERT=/c", "PGSSLKEY=/k", "PGSSLROOTCERT=/r"]),
        ("db/site?channel_binding=require&service=site", ["PGCHANNELBINDING=require", "PGSERVICE=site"]),
        ("db/site?options=-c%20role%3Dsite&keepalives=0", ["PGOPTIONS=-c role=site"]),
    ],
)
def test_every_option_of_the_address_reaches_the_programs(
    environment_of_pg_dump: Path, tmp_path: Path, address: str, variables: list[str]
) -> None:

    copy(f"postgresql+psycopg://{address}", tmp_path / "copy")

    environment = environment_of_pg_dump.read_text().splitlines()
    assert {*variables, "PGDATABASE=site"} <= {*environment}


def test_an_option_without_a_variable_is_named(environment_of_pg_dump: Path, tmp_path: Path) -> None:
    with pytest.raises(NotCopied, match="option sslfuture"):
        copy("postgresql+psycopg://db/site?sslfuture=on", tmp_path / "copy")

    assert not environment_of_pg_dump.exists()
