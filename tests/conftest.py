"""Tests in a browser come last, or in a process of their own: Playwright's event loop stays in the thread that it has run in."""

import logging
import os
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import structlog
from httpx import create_ssl_context
from xdist.scheduler import LoadScopeScheduling

from site_app.core import business
from site_app.provider.booking import rules, slots

os.environ["SITE_ENV_FILE"] = ""  # whatever a developer's own .env says

_BROWSER = Path(__file__).parent / "browser"
_PHONE = "tests/browser/phone/"
_PROJECTS = {"address", "development", "pages"}  # fixtures that build or start a project of their own


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In a browser a test may fail once by chance, on a machine that shares its cores; no other test may."""
    sizes = Counter(_scope(item.nodeid) for item in items)
    # What takes longest first, among those in a browser the files that build a project: no process waits long for another.
    items.sort(key=lambda item: (_in_browser(item), _PROJECTS.isdisjoint(_fixtures(item)), -sizes[_scope(item.nodeid)]))
    for item in filter(_in_browser, items):
        item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what passed only when it was run again."""
    failed = {report.nodeid for kind in ("failed", "error") for report in terminalreporter.getreports(kind)}
    for nodeid in sorted({report.nodeid for report in terminalreporter.getreports("rerun")} - failed):
        terminalreporter.write_line(f"FLAKY {nodeid} (passed when it was run again)")


def _in_browser(item: pytest.Item) -> bool:
    return item.path.is_relative_to(_BROWSER)


def _fixtures(item: pytest.Item) -> list[str]:
    return getattr(item, "fixturenames", []) if _in_browser(item) else []


def _scope(nodeid: str) -> str:
    """The tests that run in one process: those of a file; all of the phone input, which builds a project of its own."""
    file = nodeid.partition("::")[0]
    return _PHONE if file.startswith(_PHONE) else file


class Files(LoadScopeScheduling):
    """Two processes, as `make test` has them: each takes the next file when it has done one, those in a browser last."""

    def _split_scope(self, nodeid: str) -> str:
        return _scope(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Files:
    config.option.loadscopereorder = False  # it would put files in a browser between the others
    return Files(config, log)


@pytest.fixture(autouse=True, scope="session")
def certificates_read_once() -> Iterator[None]:
    """Each client of HTTP reads all certificates of the machine when it is made, which takes longer than most tests do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpx._config.create_ssl_context", cache(create_ssl_context))
        patch.setattr("httpx._transports.default.create_ssl_context", cache(create_ssl_context))
        yield


@pytest.fixture(autouse=True, scope="session")
def half_hour_meetings() -> Iterator[None]:
    """Tests name slots of half an hour, however long a meeting is in business.py today."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(business, "CONSULTATION", timedelta(minutes=30))
        for module in (rules, slots):
            patch.setattr(module, "MEETING_DURATION", timedelta(minutes=30))
        yield


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
