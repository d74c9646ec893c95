"""Tables for people, JSON for programs; what visitors wrote is shown as it is and obeyed by nothing."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from site_app.leads.export import as_json, shown


def complain(text: str) -> None:
    """Say on the error stream what is wrong."""
    Console(stderr=True).print(Text(text, style="red"), soft_wrap=True)  # a command in it must stay in one line to be copied


def say(text: str) -> None:
    typer.echo(text)


def say_styled(text: Text) -> None:
    _console().print(text, soft_wrap=True)


def print_json(value: object) -> None:
    typer.echo(as_json(value))


def print_rows(rows: Sequence[Mapping[str, object]], *, none: str) -> None:
    """A table of rows of one shape, headed by their names; or a sentence, where there are none."""
    if rows:
        print_table([name.replace("_", " ") for name in rows[0]], [list(row.values()) for row in rows])
    else:
        say(none)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table as wide as the terminal, or as its content where the output is no terminal."""
    table = Table(header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(shown(value)) for value in row))
    _console().print(table)


def print_facts(facts: Mapping[str, Any]) -> None:
    """Names and values below each other; what is empty is left out."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts.items():
        if value not in ("", None, [], {}):
            table.add_row(name.replace("_", " "), Text(shown(value)))
    _console().print(table)


def _console() -> Console:
    return Console(width=None if sys.stdout.isatty() else 160)
