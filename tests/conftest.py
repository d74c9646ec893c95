"""Tests in a browser come last: once Playwright's synchronous interface has run, its event loop stays in this thread."""

from pathlib import Path

import pytest

_BROWSER = Path(__file__).parent / "browser"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.is_relative_to(_BROWSER))
