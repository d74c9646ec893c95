"""A site in a directory of its own, and the commands that run against it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlmodel import SQLModel, func, select
from typer.testing import CliRunner, Result

from site_app.cli.database import read, write
from site_app.cli.main import make


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
