"""A small checkout, with a program in the place of the build that makes one page of all texts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlmodel import Session

from site_app.provider.store import Store
from tests.unit.publishing.publisher import Make, Publisher, make_publisher


@pytest.fixture
def publisher(tmp_path: Path, store: Store) -> Publisher:
    return make_publisher(tmp_path, store)


@pytest.fixture
def make(tmp_path: Path, store: Store) -> Make:
    return lambda **extra_settings: make_publisher(tmp_path, store, extra_settings)


@pytest.fixture
def session(url: str) -> Iterator[Session]:
    engine = create_engine(url)
    with Session(engine) as session:
        yield session
    engine.dispose()
