"""python -m site_app settings: every variable and its value."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any

import typer

from site_app.cli.printing import Json, print_json, print_rows, print_text
from site_app.core.settings import Settings, as_text, masked, settings, variable

DOCUMENT = Path("docs/operate/settings.md")


def show(
    markdown: Annotated[bool, typer.Option("--markdown", help="The table of the documents: defaults, not values.")] = False,
    write: Annotated[bool, typer.Option("--write", help=f"Put that table into {DOCUMENT}.")] = False,
    json: Json = False,
) -> None:
    """Show every SITE_* variable: its meaning, its default, and its value here. Secrets are not shown."""
    if markdown:
        print_text(as_markdown())
    elif write:
        marked = re.compile(r"(<!-- settings: [^>]*-->\n).*?(<!-- /settings -->)", re.DOTALL)
        table = as_markdown()
        DOCUMENT.write_text(marked.sub(lambda match: f"{match[1]}{table}\n{match[2]}", DOCUMENT.read_text()))
    elif json:
        print_json([{name: value for name, value in row.items() if name != "group"} for row in _rows(settings())])
    else:
        print_rows([_table_row(row) for row in _rows(settings())], none="")


def as_markdown() -> str:
    """Returns the tables for the documents, grouped as in the source."""
    lines: list[str] = []
    for group, rows in groupby(_rows(Settings()), itemgetter("group")):
        lines += ["", f"**{group[:1].upper()}{group[1:]}**", "", "| variable | default | meaning |", "|---|---|---|"]
        for row in rows:
            default = f"`{row['default']}`" if row["default"] else ""
            meaning = row["meaning"].replace("|", "\\|")
            lines.append(f"| `{row['variable']}` | {default} | {meaning} |")
    return "\n".join(lines[1:])


def _rows(now: Settings) -> Iterator[dict[str, Any]]:
    groups = _groups()
    for setting in fields(Settings):
        choices = setting.metadata["choices"]
        value = getattr(now, setting.name)
        secret = setting.metadata["secret"]
        yield {
            "group": groups[setting.name],
            "variable": variable(setting.name),
            "value": ("(set)" if value else "") if secret else masked(as_text(value), setting),
            "default": as_text(setting.default),
            "meaning": setting.metadata["help"] + (f" One of: {', '.join(filter(None, choices))}." if choices else ""),
            "secret": secret,
        }


def _table_row(row: dict[str, Any]) -> dict[str, str]:
    value = row["value"]
    default = row["default"]
    text = value if value == default else f"{value}  (default: {default or 'empty'})"
    return {"variable": row["variable"], "value": text, "meaning": row["meaning"]}


def _groups() -> dict[str, str]:
    """Returns the group of each setting. It is read from the comment lines in the source of `Settings`."""
    title = ""
    titles = {}
    for line in inspect.getsource(Settings).splitlines():
        comment = re.fullmatch(r"    # (.+)", line)
        name = re.match(r"    (\w+): .+ = \w+\(", line)
        title = comment[1] if comment else title
        if name:
            titles[name[1]] = title
    return titles
