"""All commands: the operator's, and in `develop` those that change the code. A new one is a module and a line in one of the two tables."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer
from sqlalchemy.exc import DBAPIError

from site_app.cli import backup, build, database, doctor, insights, leads, mail, meetings, office, retention, settings, site
from site_app.cli.develop import new_form, new_page, words
from site_app.cli.printing import complain
from site_app.core.settings import BrokenSetting
from site_app.provider.store import StoreUnavailable
from site_app.provider.store.migration import ForeignDatabase

GROUPS: dict[str, typer.Typer] = {
    "leads": leads.app,
    "meetings": meetings.app,
    "mail": mail.app,
    "office": office.app,
    "db": database.app,
    "retention": retention.app,
}
COMMANDS: dict[str, Callable[..., Any]] = {
    "run": site.run,
    "dev": site.dev,
    "build": build.build,
    "serve": site.serve,
    "export": site.export,
    "words": words.words,
    "new-page": new_page.new_page,
    "new-form": new_form.new_form,
    "new-article": new_page.new_article,
    "new-case": new_page.new_case,
    "insights": insights.show,
    "backup": backup.backup,
    "restore": backup.restore_backup,
    "doctor": doctor.examine,
    "settings": settings.show,
}


def make() -> typer.Typer:
    """Returns the typer app with all commands."""
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
    for name, group in GROUPS.items():
        app.add_typer(group, name=name, no_args_is_help=True)
    for name, command in COMMANDS.items():
        app.command(name)(command)
    return app


def main() -> int:
    """Runs the command of this process. Prints errors that an operator can fix as one line instead of a traceback."""
    if not Path("rxconfig.py").is_file():
        complain("Start this in the directory of the site's checkout, where rxconfig.py is.")
        return 1
    try:
        make()(standalone_mode=True)
    except BrokenSetting as error:
        complain(str(error))
    except (DBAPIError, sqlite3.Error, ForeignDatabase, StoreUnavailable) as error:
        complain(database.database_message(error))
    except OSError as error:
        complain(database.file_message(error))
    return 1
