"""What the unit tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from site_app.store import Store, upgrade


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of an empty database with all tables."""
    address = f"sqlite:///{tmp_path / 'site.db'}"
    upgrade(address)
    return address


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = Store(url)
    yield opened
    opened.close()
