"""All commands: the operator's, and in `develop` those that change the code. A new one is a module and a line in one of the two tables."""

import sys
from collections.abc import Callable
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import typer

from site_app.cli.printing import complain
from site_app.core.i18n.markdown import BrokenText
from site_app.core.settings import BrokenSetting

# The modules of site_app.cli that have the commands. Only that of the requested command is imported, because all together take a second.
GROUPS = {
    "leads": "leads",
    "meetings": "meetings",
    "mail": "mail",
    "office": "office",
    "db": "database",
    "retention": "retention",
}
COMMANDS = {
    "run": "site.run",
    "dev": "site.dev",
    "build": "build.build",
    "serve": "site.serve",
    "export": "site.export",
    "words": "develop.words.words",
    "new-page": "develop.new_page.new_page",
    "new-form": "develop.new_form.new_form",
    "new-article": "develop.new_page.new_article",
    "new-case": "develop.new_page.new_case",
    "insights": "insights.show",
    "backup": "backup.backup",
    "restore": "backup.restore_backup",
    "doctor": "doctor.examine",
    "settings": "settings.show",
}


def group(name: str) -> typer.Typer:
    return import_module(f"site_app.cli.{GROUPS[name]}").app


def command(name: str) -> Callable[..., Any]:
    module, _, function = COMMANDS[name].rpartition(".")
    return getattr(import_module(f"site_app.cli.{module}"), function)


def make(requested: str = "") -> typer.Typer:
    """Returns the typer app with the requested command, or with all commands if none has this name."""
    app = typer.Typer(
        name="site_app",
        help="Looks after the site: its leads, mails, database and settings. What a setting means: [b]settings[/b]. "
        "Whether all is well: [b]doctor[/b].",
        epilog="Settings come from SITE_* variables of the environment, and from .env, the same as for the site itself.",
        no_args_is_help=True,
        rich_markup_mode="rich",
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback()(lambda: None)  # without a callback typer turns an app with one command into that command
    is_known = requested in GROUPS or requested in COMMANDS
    for name in [requested] if is_known else [*GROUPS, *COMMANDS]:
        if name in GROUPS:
            app.add_typer(group(name), name=name, no_args_is_help=True)
        else:
            app.command(name)(command(name))
    return app


def main() -> int:
    """Runs the command of this process. Prints errors that an operator can fix as one line instead of a traceback."""
    if not Path("rxconfig.py").is_file():
        complain("Start this in the directory of the site's checkout, where rxconfig.py is.")
        return 1
    _replace_missing_signs()
    try:
        make(sys.argv[1] if len(sys.argv) > 1 else "")(standalone_mode=True)
    except (BrokenSetting, BrokenText) as error:
        complain(str(error))
    except UnicodeEncodeError as error:
        complain(f"The output's encoding, {error.encoding}, lacks a sign of the data: set PYTHONIOENCODING=utf-8.")
    except Exception as error:
        from site_app.cli.database import problem_message  # takes half a second, and not every command needs the database

        if not (message := problem_message(error)):
            raise
        complain(message)
    return 1


def _replace_missing_signs() -> None:
    """Has signs that the terminal's encoding lacks printed as question marks, but never in data for programs."""
    is_data = not {"export", "person", "--json"}.isdisjoint(sys.argv)
    for stream in (sys.stderr,) if is_data else (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
