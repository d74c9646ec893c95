"""Brings the database's tables up to date with the migrations in alembic/."""

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from alembic import command
from site_app.core import ROOT
from site_app.core.settings import Settings
from site_app.provider.store.engine import brief_engine, database_url

SCRIPTS = ROOT / "alembic"
_SITE_TABLES = {"outbox", "meeting"}  # tables that every release has
_UNRELEASED = {"0002", "0003", "0004"}  # migrations between two releases, since merged into 0005
_LOCK = 72_616_001  # any constant; when processes start together on PostgreSQL, one migrates while the others wait


class ForeignDatabase(Exception):
    """The database's tables belong to another program, or to an unreleased version of this one."""


def prepare_database(settings: Settings) -> None:
    """Brings the tables of this site up to date; an error raised here stops the start."""
    settings.var.mkdir(mode=0o700, parents=True, exist_ok=True)
    upgrade(database_url(settings.database_url, settings.var))


def upgrade(url: str, revision: str = "head") -> None:
    """Runs the missing migrations up to this revision in one transaction; processes that start together take turns.

    Does nothing if a newer release has migrated already: migrations only add, so the previous release works on its tables.
    Raises ForeignDatabase if the tables are not this site's, and the database's own error if it cannot be written.
    """
    with brief_engine(url, may_create=True) as engine, engine.begin() as connection:
        upgrade_within(connection, revision)


def upgrade_within(connection: Connection, revision: str = "head") -> None:
    """Does the work of `upgrade` in a transaction that is already open."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL lock_timeout = 0"))  # no limit while another process migrates
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    current = MigrationContext.configure(connection).get_current_revision()
    refuse_foreign_tables(connection, current)
    if current in _UNRELEASED:
        raise ForeignDatabase(f"it was made between two releases ({current}); restore a backup of a release, or begin anew")
    if current is None or is_known(current):
        command.upgrade(configuration(connection), revision)
    connection.execute(text("UPDATE alembic_version SET version_num = version_num"))


def refuse_foreign_tables(connection: Connection, revision: str | None) -> None:
    """Raises ForeignDatabase unless the database is empty or its tables are this site's, of any release."""
    tables = set(inspect(connection).get_table_names())
    is_empty = tables <= {"alembic_version"} and (revision is None or is_known(revision))
    if not is_empty and not tables >= _SITE_TABLES:
        raise ForeignDatabase(f"it holds tables of another program: {', '.join(sorted(tables)[:3])}")


def revision_of(url: str) -> str:
    """Returns the revision of the last migration that ran on the database, or ""."""
    with brief_engine(url) as engine, engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision() or ""


def is_known(revision: str) -> bool:
    """Returns True if this release has that migration; an unknown migration comes from a newer release."""
    return revision in {script.revision for script in ScriptDirectory(str(SCRIPTS)).walk_revisions()}


def configuration(connection: Connection) -> Config:
    """Returns Alembic's configuration for a transaction that is already open."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
