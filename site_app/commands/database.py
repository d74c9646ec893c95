"""python -m site_app db: the database's tables."""

from collections.abc import Callable
from typing import TypeVar

import typer
from sqlmodel import Session

from site_app.commands.printing import say
from site_app.settings import settings
from site_app.store import database_url, in_transaction, open_engine, upgrade
from site_app.store.copies import revision_of
from site_app.store.migration import knows

T = TypeVar("T")
app = typer.Typer(help="The database: bring its tables up to date.")


@app.command("upgrade")
def upgrade_tables() -> None:
    """Bring the database to the tables this version of the site knows.

    Does nothing where all is up to date, so it can be part of every deployment. The site does the same at its start.
    Tables of a newer release are left as they are: a release that is put back works with them.
    """
    upgrade(address())
    revision = revision_of(address())
    say(
        "The database is up to date." if knows(revision) else f"A newer release has been here ({revision}): nothing is changed."
    )


def address() -> str:
    return database_url(settings().database_url, settings().var)


def read(job: Callable[[Session], T]) -> T:
    """Run the job on a snapshot of the database."""
    return _run(job, read_only=True)


def write(job: Callable[[Session], T]) -> T:
    """Run the job in a transaction of its own."""
    return _run(job, read_only=False)


def overwrite_log() -> None:
    """On SQLite, move what was written out of the write-ahead log, where erased words would stand until it is used again."""
    engine = open_engine(address(), connections=1)
    try:
        if engine.dialect.name == "sqlite":
            connection = engine.raw_connection()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # pyright: ignore[reportAttributeAccessIssue]
            connection.close()
    finally:
        engine.dispose()


def _run(job: Callable[[Session], T], *, read_only: bool) -> T:
    engine = open_engine(address(), read_only=read_only, connections=1)
    try:
        return in_transaction(engine, job)
    finally:
        engine.dispose()
