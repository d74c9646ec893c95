"""Tests in a browser come last: once Playwright's synchronous interface has run, its event loop stays in this thread."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

_BROWSER = Path(__file__).parent / "browser"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.is_relative_to(_BROWSER))


@pytest.fixture(autouse=True)
def log_as_before() -> Iterator[None]:
    """A command sets up the log of its process, which is this one: it would write to what was captured in another test."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)
    structlog.reset_defaults()
