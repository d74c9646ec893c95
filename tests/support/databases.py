"""An empty database for one test: a SQLite file, or with TEST_POSTGRES_URL set a new database on that server."""

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from site_app.provider.store.migration import upgrade

SERVER = os.environ.get("TEST_POSTGRES_URL", "")  # such as postgresql+psycopg://postgres@127.0.0.1:5433/postgres
ON_SQLITE = pytest.mark.skipif(bool(SERVER), reason="about SQLite's one writer and its file")
ON_POSTGRES = pytest.mark.skipif(not SERVER, reason="about PostgreSQL, which TEST_POSTGRES_URL names")


@contextmanager
def empty_database(folder: Path) -> Iterator[str]:
    """Yields the URL of an empty database, which is dropped after the test."""
    if not SERVER:
        yield f"sqlite:///{folder / 'site.db'}"
        return
    name = f"test_{uuid.uuid4().hex}"
    server = create_engine(SERVER, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield make_url(SERVER).set(database=name).render_as_string(hide_password=False)
    finally:
        with server.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        server.dispose()


@contextmanager
def migrated_database(folder: Path) -> Iterator[str]:
    """Yields a database with all tables; on SQLite a copy of a migrated one, as migrating takes longer than most tests."""
    with empty_database(folder) as address:
        if SERVER:
            upgrade(address)
        else:
            shutil.copyfile(_migrated(), folder / "site.db")
        yield address


@cache
def _migrated() -> Path:
    file = Path(tempfile.mkdtemp(prefix="migrated-")) / "site.db"
    upgrade(f"sqlite:///{file}")
    return file
