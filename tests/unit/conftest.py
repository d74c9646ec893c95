"""Fixtures shared by the unit tests."""

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
