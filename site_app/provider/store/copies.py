"""Copies the database while it is in use, and restores it from a copy."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, text
from sqlalchemy.engine import URL, make_url

from site_app.provider.store.engine import BUSY_TIMEOUT_MS, brief_engine

_ASIDE = "before_"  # schemas that a restore has put aside
_WHOLE = ("--format=custom", "--no-owner", "--no-privileges", f"--exclude-schema={_ASIDE}*")
_LIBPQ = {"host": "PGHOST", "sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT"}
_OTHERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


class NotCopied(Exception):
    """Why there is no copy, or why nothing was restored, as a sentence for the operator."""


def kind_of(url: str) -> str:
    """sqlite or postgresql; a copy of one kind cannot be restored into the other."""
    return make_url(url).get_backend_name()


def revision_of(url: str) -> str:
    """Which migration the database is at."""
    with brief_engine(url) as engine, engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision() or ""


def copy(url: str, file: Path) -> None:
    """Write one snapshot of the database into the file; readers and writers need not wait for it."""
    address = make_url(url)
    if address.get_backend_name() == "sqlite":
        _copy_sqlite(Path(address.database or ""), file)
    else:
        _run("pg_dump", address, *_WHOLE, f"--file={file}")


def restore(url: str, file: Path, *, replace: bool, now: datetime) -> str:
    """Make the database what the copy says; returns what became of the one that was there.

    Refuses while another process has it open, and without `replace` where there is one.
    """
    address = make_url(url)
    if address.get_backend_name() == "sqlite":
        return _restore_sqlite(Path(address.database or ""), file, replace=replace, now=now)
    return _restore_postgresql(address, file, replace=replace, now=now)


def _copy_sqlite(database: Path, file: Path) -> None:
    if not database.exists():
        raise NotCopied(f"There is no database at {database}.")
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(file)) as copied:
        source.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        source.execute("PRAGMA query_only=ON")
        source.backup(copied)  # in one step: of a write-ahead log that is one snapshot, whatever is written meanwhile
        copied.execute("PRAGMA journal_mode=DELETE")  # the copy is one file
        damage = copied.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if damage != "ok":
        raise NotCopied(f"The database is damaged: {damage}. Keep the last backup that is whole.")


def _restore_sqlite(database: Path, file: Path, *, replace: bool, now: datetime) -> str:
    told = ""
    if database.exists():
        if not replace:
            raise NotCopied(f"{database} is there already; --replace puts it aside.")
        _make_sure_it_is_closed(database)
        aside = database.with_name(f"{database.name}.before-{now:%Y%m%d-%H%M%S}")
        database.rename(aside)
        told = f"What was there is now {aside}."
    database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = database.with_name(f"{database.name}.restoring")
    # not by copyfile, with which the umask decides who may read it
    with file.open("rb") as copied, os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as written:
        shutil.copyfileobj(copied, written)
        written.flush()
        os.fsync(written.fileno())
    draft.rename(database)
    return told


def _make_sure_it_is_closed(database: Path) -> None:
    """Raise NotCopied while others have it open: only a sole user can end its write-ahead log, which also makes it one file."""
    with closing(sqlite3.connect(database, timeout=1)) as connection:
        try:
            alone = connection.execute("PRAGMA journal_mode=DELETE").fetchone()[0] == "delete"
        except sqlite3.OperationalError:
            alone = False
    if not alone:
        raise NotCopied(f"{database} is in use: stop the site first.")


def _restore_postgresql(address: URL, file: Path, *, replace: bool, now: datetime) -> str:
    aside = f"{_ASIDE}{now:%Y%m%d_%H%M%S}"
    with brief_engine(address.render_as_string(hide_password=False)) as engine:
        with engine.begin() as connection:
            is_there = bool(inspect(connection).get_table_names("public"))
            if is_there and not replace:
                raise NotCopied("The database has tables already; --replace puts them aside.")
            if used := connection.execute(text(_OTHERS)).scalar_one():
                raise NotCopied(f"{used} other connections have the database open: stop the site first.")
            if is_there:
                connection.execute(text(f"ALTER SCHEMA public RENAME TO {aside}"))
                connection.execute(text("CREATE SCHEMA public"))
        try:
            whole = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
            _run("pg_restore", address, *whole, f"--dbname={address.database}", str(file))
        except NotCopied:
            if is_there:
                with engine.begin() as connection:
                    connection.execute(text("DROP SCHEMA public CASCADE"))
                    connection.execute(text(f"ALTER SCHEMA {aside} RENAME TO public"))
            raise
    return f"What was there is now in the schema {aside}." if is_there else ""


def _run(program: str, address: URL, *arguments: str) -> None:
    """Run the program with user, password and host in libpq's variables, because others on the machine could read its arguments."""
    said = {"PGHOST": address.host, "PGPORT": address.port, "PGUSER": address.username, "PGPASSWORD": address.password}
    said |= {"PGDATABASE": address.database} | {_LIBPQ[name]: value for name, value in address.query.items() if name in _LIBPQ}
    environment = os.environ | {name: str(value) for name, value in said.items() if value}
    command: Sequence[str] = (program, "--no-password", *arguments)
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    except FileNotFoundError:
        raise NotCopied(f"{program} is not here: install PostgreSQL's client programs.") from None
    if done.returncode:
        raise NotCopied(f"{program} says: {done.stderr.strip()}")
