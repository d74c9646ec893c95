"""Each test has its own site: a directory, a database, and the commands run against it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import SQLModel, func, select
from typer.testing import CliRunner, Result

from site_app.cli.database import read, write
from site_app.cli.main import make
from site_app.core.settings import settings
from tests.support.databases import SERVER, migrated_database


@dataclass(frozen=True)
class Site:
    var: Path

    def run(self, *arguments: str, answer: str | None = None) -> Result:
        return CliRunner().invoke(make(), list(arguments), input=answer)

    def json(self, *arguments: str) -> Any:
        result = self.run(*arguments, "--json")
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    def add(self, *rows: Any) -> None:
        write(lambda session: session.add_all(rows))

    def count(self, table: type[SQLModel]) -> int:
        return read(lambda session: session.exec(select(func.count()).select_from(table)).one())


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("SITE_VAR", str(tmp_path))
    with migrated_database(tmp_path) as address:
        if SERVER:
            monkeypatch.setenv("SITE_DATABASE_URL", address)
        settings.cache_clear()
        yield Site(tmp_path)
        settings.cache_clear()
