"""Prints tables for people and JSON for programs. Control characters in visitors' text have no effect on the terminal."""

import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NoReturn

import typer
from rich.bar import Bar
from rich.console import Console
from rich.table import Table
from rich.text import Text

from site_app.provider.leads.export import as_json, export_text

Json = Annotated[bool, typer.Option("--json", help="As JSON, for programs.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
Reference = Annotated[str, typer.Argument(help="Such as Q-7F3K-29.", metavar="REF", parser=lambda text: text.strip().upper())]


def complain(text: str) -> None:
    """Prints a problem on stderr."""
    Console(stderr=True).print(Text(text, style="red"), soft_wrap=True)  # no hard wrap, so that commands in it can be copied


def give_up(text: str) -> NoReturn:
    """Prints on stderr why nothing was done, and exits with 1."""
    complain(text)
    raise typer.Exit(1) from None


def print_text(text: str) -> None:
    typer.echo(text)


def print_styled(text: Text) -> None:
    _console().print(text, soft_wrap=True)


def print_json(value: object) -> None:
    typer.echo(as_json(value))


def print_rows(rows: Sequence[Mapping[str, object]], *, none: str) -> None:
    """Prints rows with the same keys as a table as wide as the terminal, or the sentence `none` if there are no rows."""
    if not rows:
        print_text(none)
        return
    table = Table(header_style="bold")
    for name in rows[0]:
        table.add_column(name.replace("_", " "), overflow="fold")
    for row in rows:
        table.add_row(*(value if isinstance(value, Bar) else Text(export_text(value)) for value in row.values()))
    _console().print(table)


def print_facts(facts: Mapping[str, Any]) -> None:
    """Prints names and values, one pair per line, without empty values."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts.items():
        if value not in ("", None, [], {}):
            table.add_row(name.replace("_", " "), Text(export_text(value)))
    _console().print(table)


def _console() -> Console:
    return Console(width=None if sys.stdout.isatty() else 160)
