"""Brings a database to the tables the code knows, by the migrations in alembic/."""

from pathlib import Path

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from alembic import command
from site_app.core.settings import Settings
from site_app.provider.store.engine import brief_engine, database_url

SCRIPTS = Path(__file__).parents[3] / "alembic"
_OURS = {"outbox", "meeting"}  # tables that every release has
_UNRELEASED = {"0002", "0003", "0004"}  # they have become one with 0005
_LOCK = 72_616_001  # any constant: of processes that start together on PostgreSQL one migrates, the others wait


class ForeignDatabase(Exception):
    """The database holds tables, and they are another program's, or of no release."""


def prepare_database(settings: Settings) -> None:
    """Bring the tables of this site up to date; an error raised here stops the start."""
    settings.var.mkdir(mode=0o700, parents=True, exist_ok=True)
    upgrade(database_url(settings.database_url, settings.var))


def upgrade(url: str, revision: str = "head") -> None:
    """Run what is missing up to this revision, in one transaction, however many processes ask at once; raises where nothing can be written.

    Where a newer release has been, nothing is done: migrations only add, so the release before it works on its tables.
    Raises ForeignDatabase where the tables are not this site's.
    """
    with brief_engine(url) as engine, engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL lock_timeout = 0"))  # whoever migrates first may take its time
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        at = MigrationContext.configure(connection).get_current_revision()
        refuse_foreign_tables(connection, at)
        if at in _UNRELEASED:
            raise ForeignDatabase(f"it was made between two releases ({at}); restore a backup of a release, or begin anew")
        if at is None or knows(at):
            command.upgrade(configuration(connection), revision)
        connection.execute(text("UPDATE alembic_version SET version_num = version_num"))


def refuse_foreign_tables(connection: Connection, revision: str | None) -> None:
    """Raise ForeignDatabase unless the tables are this site's, of whatever release, or there are none."""
    there = set(inspect(connection).get_table_names())
    emptied = there <= {"alembic_version"} and (revision is None or knows(revision))
    if not emptied and not there >= _OURS:
        raise ForeignDatabase(f"it holds tables of another program: {', '.join(sorted(there)[:3])}")


def knows(revision: str) -> bool:
    """Whether this release has that migration; one it has not is a newer release's."""
    return revision in {script.revision for script in ScriptDirectory(str(SCRIPTS)).walk_revisions()}


def configuration(connection: Connection) -> Config:
    """Alembic's configuration for a transaction that is already open."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
