"""python -m site_app db: the database's tables."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import typer
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from site_app.cli.printing import print_text
from site_app.core.settings import settings
from site_app.provider.store import Store, StoreUnavailable, brief_engine, database_url, in_transaction
from site_app.provider.store.audit_log import COMMAND_LINE, Actor
from site_app.provider.store.health import what_to_do
from site_app.provider.store.migration import ForeignDatabase, is_known, revision_of, upgrade

T = TypeVar("T")
_CONNECTION_ADVICE = "Look whether it runs, and at its address, such as postgresql+psycopg://site:password@127.0.0.1/site."
_MISSING_ADVICE = "If it is new: python -m site_app db upgrade; else put the file or a backup back."
app = typer.Typer(help="The database: bring its tables up to date.")


@app.command("upgrade")
def upgrade_tables() -> None:
    """Bring the database's tables up to date with this version of the site.

    Does nothing if they are up to date, so it can be part of every deployment. The site does the same at its start.
    Tables of a newer release are left unchanged: an older release works with them after a rollback.
    """
    upgrade(configured_url())
    revision = revision_of(configured_url())
    print_text(
        "The database is up to date."
        if is_known(revision)
        else f"A newer release has been here ({revision}): nothing is changed."
    )


def problem_message(error: Exception) -> str:
    """Returns a message for an error of the database or of a file, or an empty text for any other error."""
    if isinstance(error, DBAPIError | sqlite3.Error | ForeignDatabase | StoreUnavailable):
        return database_message(error)
    return file_message(error) if isinstance(error, OSError) else ""


def database_message(error: DBAPIError | sqlite3.Error | ForeignDatabase | StoreUnavailable) -> str:
    """Returns a message for a database error, with the setting that names the database and with what to do."""
    message = str(getattr(error, "orig", error)).strip().partition("\n")[0]
    place = make_url(configured_url()).set(query={}).render_as_string(hide_password=True)  # a password may be in the query
    subject = f"SITE_DATABASE_URL is {place}" if settings().database_url else f"The database in SITE_VAR is {place}"
    if "unable to open" in message and is_missing(configured_url()):
        message, advice = "there is no such file", _MISSING_ADVICE
    else:
        advice = what_to_do(message) or _CONNECTION_ADVICE
    return f"{subject}; {message}. {advice}"


def is_missing(url: str) -> bool:
    """Returns True if the file of an SQLite database does not exist."""
    parsed = make_url(url)
    return parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").exists()


def file_message(error: OSError) -> str:
    """Returns a message for a file error, with the settings that name the site's directories."""
    sentence = (
        f"SITE_VAR is {str(settings().var)!r}; it must be a directory that the site's user can write, such as /var/lib/site"
    )
    also = ", and so must that of SITE_DATABASE_URL" if make_url(configured_url()).get_backend_name() == "sqlite" else ""
    return f"{error.filename or 'The system'}: {error.strerror or error}. {sentence}{also}."


def configured_url() -> str:
    return database_url(settings().database_url, settings().var)


def read(job: Callable[[Session], T], url: str = "") -> T:
    """Runs the job on a snapshot of the database."""
    with brief_engine(url or configured_url(), read_only=True) as engine:
        return in_transaction(engine, job)


def write(job: Callable[[Session], T]) -> T:
    """Runs the job in a transaction of its own."""
    with brief_engine(configured_url()) as engine:
        return in_transaction(engine, job)


def actor() -> Actor:
    """Returns the command line as the actor of a change, with the current time."""
    return Actor(COMMAND_LINE, datetime.now(UTC))


def with_store(work: Callable[[Store], Coroutine[Any, Any, T]]) -> T:
    """Runs the work with a `Store`, as the running site has one, and returns its result."""

    async def run() -> T:
        store = Store(configured_url())
        try:
            return await work(store)
        finally:
            store.close()

    return asyncio.run(run())
