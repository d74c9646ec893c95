"""Fixtures shared by the unit tests."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from site_app.provider.store import Store
from tests.support.databases import migrated_database


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """Returns the URL of an empty database with all tables."""
    with migrated_database(tmp_path) as address:
        yield address


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    new_store = Store(url)
    yield new_store
    new_store.close()


@pytest.fixture
def processes(url: str) -> Iterator[list[Store]]:
    """Stores of three processes on one database."""
    stores = [Store(url) for _ in range(3)]
    yield stores
    for store in stores:
        store.close()


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]
