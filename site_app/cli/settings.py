"""python -m site_app settings: every variable, and what it is set to."""

import inspect
import re
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from site_app.cli.printing import print_json, print_table, say
from site_app.settings import Settings, masked, settings, variable, written

DOCUMENT = Path("docs/operate/settings.md")


def show(
    markdown: Annotated[bool, typer.Option("--markdown", help="The table of the documents: defaults, not values.")] = False,
    write: Annotated[bool, typer.Option("--write", help=f"Put that table into {DOCUMENT}.")] = False,
    json: Annotated[bool, typer.Option("--json", help="As JSON, for programs.")] = False,
) -> None:
    """Show every SITE_* variable: what it means, its default, and what it is set to here. Secrets are not shown."""
    if markdown:
        say(as_markdown())
    elif write:
        _write_document(DOCUMENT)
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
    """The table of the documents, in the groups of the source."""
    lines: list[str] = []
    group = ""
    for title, name, default, _ in _rows(Settings()):
        if title != group:
            group = title
            lines += ["", f"**{title[:1].upper()}{title[1:]}**", "", "| variable | default | meaning |", "|---|---|---|"]
        meaning = str(_about(name)["meaning"]).replace("|", "\\|")
        lines.append(f"| `{name}` | {f'`{default}`' if default else ''} | {meaning} |")
    return "\n".join(lines[1:])


def _write_document(file: Path) -> None:
    marked = re.compile(r"(<!-- settings: [^>]*-->\n).*?(<!-- /settings -->)", re.DOTALL)
    file.write_text(marked.sub(lambda found: f"{found[1]}{as_markdown()}\n{found[2]}", file.read_text()))


def _rows(now: Settings | None = None) -> list[tuple[str, str, str, str]]:
    """Group, variable, default and value of each setting, as text."""
    set_to = now or settings()
    titles = _groups()
    return [(titles[one.name], variable(one.name), written(one.default), _value(one, set_to)) for one in fields(Settings)]


def _value(one: Any, set_to: Settings) -> str:
    value = getattr(set_to, one.name)
    if one.metadata["secret"]:
        return "(set)" if value else ""
    return masked(written(value), one)


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
    for line in inspect.getsource(Settings).splitlines():
        comment, name = re.fullmatch(r"    # (.+)", line), re.match(r"    (\w+): .+ = setting\(", line)
        title = comment[1] if comment else title
        if name:
            titles[name[1]] = title
    return titles
