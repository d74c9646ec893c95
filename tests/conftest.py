"""Tests in a browser come last, or in a process of their own: Playwright's event loop stays in the thread that it has run in."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from xdist.scheduler import LoadScopeScheduling

_BROWSER = Path(__file__).parent / "browser"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.is_relative_to(_BROWSER))


class Halves(LoadScopeScheduling):
    """Two processes, with `make test ARGS="-n 2"`: one browser, and beside it everything that needs none."""

    def _split_scope(self, nodeid: str) -> str:
        return "browser" if nodeid.startswith("tests/browser/") else "the rest"


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Halves:
    return Halves(config, log)


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
