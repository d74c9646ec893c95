"""Orders the tests and shares them among processes. Browser tests come last, because Playwright's event loop stays in its thread."""

import logging
import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import structlog
from httpx import create_ssl_context
from xdist.scheduler import LoadScopeScheduling

os.environ["SITE_ENV_FILE"] = ""  # ignores a developer's own .env

_BROWSER = Path(__file__).parent / "browser"
_PACKAGES = ("tests/browser/exported/", "tests/browser/phone/")  # each builds one project for all its files
_MEMORY = Path("/dev/shm")  # of Linux
_ROOM_BYTES = 2 * 2**30
# Fixtures that build or start a project of their own. No other fixture may have these names.
_PROJECTS = {"project_url", "development", "exported"}


def pytest_configure() -> None:
    """Keeps temporary files in memory if there is room: on a disk most tests wait for its writes, and none is about a disk."""
    if _MEMORY.is_dir() and _has_room(_MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))


def _has_room(folder: Path) -> bool:
    system = os.statvfs(folder)
    is_usable = os.access(folder, os.W_OK) and not system.f_flag & (os.ST_NOEXEC | os.ST_RDONLY)  # tests run scripts there
    return is_usable and system.f_bavail * system.f_frsize >= _ROOM_BYTES


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser test is run again once after a failure, as shared machines cause chance failures; other tests are not."""
    sizes = Counter(_scope(item.nodeid) for item in items)
    # The largest files first, and of the browser tests those that build a project, so that no process waits long at the end.
    items.sort(key=lambda item: (_in_browser(item), _PROJECTS.isdisjoint(_fixtures(item)), -sizes[_scope(item.nodeid)]))
    for item in filter(_in_browser, items):
        item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Lists the tests that passed only when they were run again."""
    failed = {report.nodeid for kind in ("failed", "error") for report in terminalreporter.getreports(kind)}
    for nodeid in sorted({report.nodeid for report in terminalreporter.getreports("rerun")} - failed):
        terminalreporter.write_line(f"FLAKY {nodeid} (passed when it was run again)")


def _in_browser(item: pytest.Item) -> bool:
    return item.path.is_relative_to(_BROWSER)


def _fixtures(item: pytest.Item) -> list[str]:
    return getattr(item, "fixturenames", []) if _in_browser(item) else []


def _scope(nodeid: str) -> str:
    """Returns the tests that run in one process: a file, or a package that builds a project of its own."""
    file = nodeid.partition("::")[0]
    return next(filter(file.startswith, _PACKAGES), file)


class Files(LoadScopeScheduling):
    """Schedules files on as many processes as `make test` starts: a process that is done takes the next file, browser tests last."""

    def _split_scope(self, nodeid: str) -> str:
        return _scope(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Files:
    config.option.loadscopereorder = False  # otherwise browser tests would come between the others
    return Files(config, log)


@pytest.fixture(autouse=True, scope="session")
def certificates_read_once() -> Iterator[None]:
    """Loads the machine's certificates once: every HTTP client would load them again, which takes longer than most tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpx._config.create_ssl_context", cache(create_ssl_context))
        patch.setattr("httpx._transports.default.create_ssl_context", cache(create_ssl_context))
        yield


@pytest.fixture(autouse=True)
def restore_log() -> Iterator[None]:
    """Restores the log after each test: a command configures its process's log, and would write to another test's capture."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)
    structlog.reset_defaults()
