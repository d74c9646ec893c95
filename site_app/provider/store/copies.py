"""Copies the database while it is in use, and restores it from a copy."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import URL, make_url

from site_app.provider.store.engine import BUSY_TIMEOUT_MS, brief_engine

_OLD_SCHEMA_PREFIX = "before_"  # of the schemas that a restore has moved out of the way
_DUMP_OPTIONS = ("--format=custom", "--no-owner", "--no-privileges", f"--exclude-schema={_OLD_SCHEMA_PREFIX}*")
_SQLITE_LOG_SUFFIXES = ("-wal", "-shm", "-journal")  # of the files that SQLite keeps beside a database
_LIBPQ_VARIABLES = {  # by the option of the address
    "host": "PGHOST",
    "hostaddr": "PGHOSTADDR",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "passfile": "PGPASSFILE",
    "dbname": "PGDATABASE",
    "service": "PGSERVICE",
    "options": "PGOPTIONS",
    "application_name": "PGAPPNAME",
    "connect_timeout": "PGCONNECT_TIMEOUT",
    "client_encoding": "PGCLIENTENCODING",
    "channel_binding": "PGCHANNELBINDING",
    "require_auth": "PGREQUIREAUTH",
    "gssencmode": "PGGSSENCMODE",
    "krbsrvname": "PGKRBSRVNAME",
    "requirepeer": "PGREQUIREPEER",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
    "load_balance_hosts": "PGLOADBALANCEHOSTS",
    **{
        f"ssl{name}": f"PGSSL{name.upper()}"
        for name in ("mode", "negotiation", "rootcert", "cert", "key", "crl", "crldir", "sni")
    },
    "sslcertmode": "PGSSLCERTMODE",
    "ssl_min_protocol_version": "PGSSLMINPROTOCOLVERSION",
    "ssl_max_protocol_version": "PGSSLMAXPROTOCOLVERSION",
}
# They change when a lost server is noticed, and no more; libpq has no variables for them.
_WITHOUT_VARIABLE = {"tcp_user_timeout", "keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count"}
_COUNT_OTHER_CONNECTIONS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"  # autovacuum may stay
)


class NotCopied(Exception):
    """Copying or restoring failed. The message is a sentence for the operator."""


def last_backup(var: Path) -> Path:
    """Returns the empty file in SITE_VAR that each complete backup touches: its modification time is that of the last backup."""
    return var / "last_backup"


def kind_of(url: str) -> str:
    """Returns "sqlite" or "postgresql"."""
    return make_url(url).get_backend_name()


def copy(url: str, file: Path) -> None:
    """Writes a snapshot of the database into the file, without blocking readers or writers."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        _copy_sqlite(Path(parsed.database or ""), file)
    else:
        _run("pg_dump", parsed, *_DUMP_OPTIONS, f"--file={file}")


def restore(url: str, file: Path, *, replace: bool, now: datetime) -> str:
    """Replaces the database by the copy. Returns a sentence that says where the previous database is now, or "".

    Raises NotCopied while another process has the database open, or if there is a database and `replace` is False.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return _restore_sqlite(Path(parsed.database or ""), file, replace=replace, now=now)
    return _restore_postgresql(parsed, file, replace=replace, now=now)


def _copy_sqlite(database: Path, file: Path) -> None:
    if not database.exists():
        raise NotCopied(f"There is no database at {database}.")
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(file)) as target:
        source.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        source.execute("PRAGMA query_only=ON")
        source.backup(target)  # all pages in one step, so that it is one snapshot even while others write
        target.execute("PRAGMA journal_mode=DELETE")  # so that the copy is a single file
        damage = target.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if damage != "ok":
        raise NotCopied(f"The database is damaged: {damage}. Keep the last good backup.")


def _restore_sqlite(database: Path, file: Path, *, replace: bool, now: datetime) -> str:
    if database.exists():
        if not replace:
            raise NotCopied(f"{database} exists already; --replace moves it out of the way.")
        if database.stat().st_size:  # opening an empty file would make SQLite delete the log beside it
            _check_is_closed(database)
    database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = unfinished_copy(database)
    try:
        _write_private(file, unfinished)  # first, because the disk may have no room for both databases
        summary = _set_aside(database, database.with_name(f"{database.name}.before-{now:%Y%m%d-%H%M%S}"))
        unfinished.rename(database)
    finally:
        unfinished.unlink(missing_ok=True)
    return summary


def unfinished_copy(database: Path) -> Path:
    """Returns the file into which a restore writes before it takes the place of the database."""
    return database.with_name(f"{database.name}.restoring")


def _write_private(file: Path, to: Path) -> None:
    """Copies the file, and returns when it is on the disk. Only the owner can read the copy; shutil.copyfile would ask the umask."""
    with file.open("rb") as source, os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as target:
        shutil.copyfileobj(source, target)
        target.flush()
        os.fsync(target.fileno())


def _set_aside(database: Path, previous: Path) -> str:
    """Renames the database and the files beside it. Returns a sentence that says where they are now, or "" if there are none.

    The files hold the last commits of the previous database. SQLite would apply those left in place to the restored one.
    """
    logs: list[str] = []
    for suffix in _SQLITE_LOG_SUFFIXES:  # before the database: SQLite would delete a log that has lost its database
        file = database.with_name(f"{database.name}{suffix}")
        if file.exists():
            logs.append(str(file.rename(previous.with_name(f"{previous.name}{suffix}"))))
    if database.exists():
        database.rename(previous)
        return f"The previous database is now {previous}."
    return f"There was the log of a missing database. It is now {' and '.join(logs)}." if logs else ""


def _check_is_closed(database: Path) -> None:
    """Raises NotCopied if another process has the database open.

    Only the sole user can leave WAL mode, which also merges the write-ahead log into the file. A damaged file passes unmerged.
    """
    with closing(sqlite3.connect(database, timeout=1)) as connection:
        try:
            is_sole_user = connection.execute("PRAGMA journal_mode=DELETE").fetchone()[0] == "delete"
        except sqlite3.OperationalError:
            is_sole_user = False
        except sqlite3.DatabaseError:  # damaged, or no database: it is what the backup replaces
            return
    if not is_sole_user:
        raise NotCopied(f"{database} is in use: stop the site first.")


def _restore_postgresql(parsed: URL, file: Path, *, replace: bool, now: datetime) -> str:
    with brief_engine(parsed.render_as_string(hide_password=False)) as engine:
        with engine.begin() as connection:
            old_schema = set_tables_aside(connection, replace=replace, now=now)
        try:
            options = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
            _run("pg_restore", parsed, *options, f"--dbname={parsed.database}", str(file))
        except BaseException:  # also Ctrl-C, which would leave the database empty
            if old_schema:
                with engine.begin() as connection:
                    connection.execute(text("SET LOCAL lock_timeout = 0"))  # the last statement of pg_restore may take a while
                    connection.execute(text("DROP SCHEMA public CASCADE"))
                    connection.execute(text(f"ALTER SCHEMA {old_schema} RENAME TO public"))
            raise
    return sentence_of_schema(old_schema)


def set_tables_aside(connection: Connection, *, replace: bool, now: datetime) -> str:
    """Moves PostgreSQL's tables into a schema of their own and returns its name, or "" if there are none.

    Raises NotCopied while another process has the database open, or if there are tables and `replace` is False.
    """
    has_tables = bool(inspect(connection).get_table_names("public"))
    if has_tables and not replace:
        raise NotCopied("The database has tables already; --replace moves them out of the way.")
    if other_connections := connection.execute(text(_COUNT_OTHER_CONNECTIONS)).scalar_one():
        raise NotCopied(f"{other_connections} other connections have the database open: stop the site first.")
    if not has_tables:
        return ""
    old_schema = f"{_OLD_SCHEMA_PREFIX}{now:%Y%m%d_%H%M%S}"
    connection.execute(text(f"ALTER SCHEMA public RENAME TO {old_schema}"))
    connection.execute(text("CREATE SCHEMA public"))
    return old_schema


def schemas_set_aside(connection: Connection) -> list[str]:
    """Returns the schemas with earlier tables, the oldest first. There are none in SQLite, whose files are renamed instead."""
    is_postgresql = connection.dialect.name == "postgresql"
    names = inspect(connection).get_schema_names() if is_postgresql else []
    return sorted(name for name in names if name.startswith(_OLD_SCHEMA_PREFIX))


def sentence_of_schema(old_schema: str) -> str:
    """Returns a sentence that says where the previous tables are now, or ""."""
    return f"The previous tables are now in the schema {old_schema}." if old_schema else ""


def _run(program: str, parsed: URL, *arguments: str) -> None:
    """Runs the program, with the address in libpq's variables: other users of the machine can read arguments."""
    environment = os.environ | _libpq_variables(parsed)
    command: Sequence[str] = (program, "--no-password", *arguments)
    try:
        process = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    except FileNotFoundError:
        raise NotCopied(f"{program} was not found: install PostgreSQL's client programs.") from None
    if process.returncode:
        raise NotCopied(f"{program} failed: {process.stderr.strip()}")


def _libpq_variables(parsed: URL) -> dict[str, str]:
    """Returns libpq's variables for the address. Raises NotCopied for an option without one, which could be about security."""
    _, options = parsed.get_dialect()().create_connect_args(parsed)
    options = {name: value for name, value in options.items() if name not in _WITHOUT_VARIABLE}
    if unknown := sorted({*options} - {*_LIBPQ_VARIABLES}):
        raise NotCopied(f"pg_dump and pg_restore cannot be given the option {unknown[0]} of SITE_DATABASE_URL: leave it out.")
    return {_LIBPQ_VARIABLES[name]: str(value) for name, value in options.items()}
