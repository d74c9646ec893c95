"""A site that lets a test book as often as it must."""

from collections.abc import Iterator

import pytest

from tests.browser.booking.calls import QUICK
from tests.browser.server import Site, free_port


@pytest.fixture(scope="module")
def site(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    running = Site(free_port(), tmp_path_factory.mktemp("var"), QUICK).start()
    yield running
    running.stop()
