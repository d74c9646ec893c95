"""python -m site_app settings: every variable, and what it is set to."""

import inspect
import re
from dataclasses import fields
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from site_app import settings as table
from site_app.commands.printing import print_json, print_table, say
from site_app.settings import Settings, settings, variable

_UNITS = ((86400, "d"), (3600, "h"), (60, "m"), (1, "s"))


def show(
    markdown: Annotated[bool, typer.Option("--markdown", help="The table of README: defaults, not values.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Put that table into README.md.")] = False,
    json: Annotated[bool, typer.Option("--json", help="As JSON, for programs.")] = False,
) -> None:
    """Show every SITE_* variable: what it means, its default, and what it is set to here. Secrets are not shown."""
    if markdown:
        say(as_markdown())
    elif write:
        _write_readme(Path("README.md"))
    elif json:
        print_json(
            [{"variable": name, "value": value, "default": default} | _about(name) for _, name, default, value in _rows()]
        )
    else:
        print_table(
            ["variable", "value", "meaning"],
            [
                (name, value if value == default else f"{value}  (default: {default or 'empty'})", _about(name)["meaning"])
                for _, name, default, value in _rows()
            ],
        )


def as_markdown() -> str:
    """The table of README, in the groups of the source."""
    lines: list[str] = []
    group = ""
    for title, name, default, _ in _rows(Settings()):
        if title != group:
            group = title
            lines += ["", f"**{title[:1].upper()}{title[1:]}**", "", "| variable | default | meaning |", "|---|---|---|"]
        meaning = str(_about(name)["meaning"]).replace("|", "\\|")
        lines.append(f"| `{name}` | {f'`{default}`' if default else ''} | {meaning} |")
    return "\n".join(lines[1:])


def _write_readme(file: Path) -> None:
    marked = re.compile(r"(<!-- settings: [^>]*-->\n).*?(<!-- /settings -->)", re.DOTALL)
    file.write_text(marked.sub(lambda found: f"{found[1]}{as_markdown()}\n{found[2]}", file.read_text()))


def _rows(now: Settings | None = None) -> list[tuple[str, str, str, str]]:
    """Group, variable, default and value of each setting, as text."""
    set_to = now or settings()
    titles = _groups()
    return [(titles[one.name], variable(one.name), _written(one.default), _value(one, set_to)) for one in fields(Settings)]


def _value(one: Any, set_to: Settings) -> str:
    value = getattr(set_to, one.name)
    return "(set)" if one.metadata["secret"] and value else _written(value)


def _about(name: str) -> dict[str, object]:
    for one in fields(Settings):
        if variable(one.name) == name:
            choices = one.metadata["choices"]
            meaning = one.metadata["help"] + (f" One of: {', '.join(choices)}." if choices else "")
            return {"meaning": meaning, "secret": one.metadata["secret"]}
    raise KeyError(name)


def _groups() -> dict[str, str]:
    """The comment above each field, which is nowhere but in the source."""
    title, titles = "", {}
    for line in inspect.getsource(table.Settings).splitlines():
        comment, name = re.fullmatch(r"    # (.+)", line), re.match(r"    (\w+): .+ = setting\(", line)
        title = comment[1] if comment else title
        if name:
            titles[name[1]] = title
    return titles


def _written(value: object) -> str:
    """A value as the environment would have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(str(one) for one in value)
    if isinstance(value, timedelta):
        seconds = value.total_seconds()
        return next(
            (f"{int(seconds // size)}{unit}" for size, unit in _UNITS if seconds and seconds % size == 0), f"{seconds}s"
        )
    return str(value)
