"""Sites whose visitors come through a proxy that can hold or cut connections."""

from collections.abc import Iterator

import pytest

from tests.browser.black_hole import BlackHole
from tests.support.site_server import PATIENT, Site, free_port


@pytest.fixture(scope="module")
def site_behind_proxy(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, BlackHole]]:
    port = free_port()
    settings = {**PATIENT, "SITE_URL": f"http://localhost:{port}"}
    running = Site(free_port(), tmp_path_factory.mktemp("var"), settings).start()
    with BlackHole(listen=port, forward=running.port) as hole:
        running.url = f"http://localhost:{port}"
        yield running, hole
    running.kill()


@pytest.fixture(scope="package")
def doubtful_site(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a minimum filling time of one second."""
    settings = {**PATIENT, "SITE_MINIMUM_FILLING_TIME": "1s"}
    running = Site(free_port(), tmp_path_factory.mktemp("var"), settings).start()
    yield running
    running.kill()


@pytest.fixture
def site_behind_hole(site_behind_proxy: tuple[Site, BlackHole]) -> Iterator[tuple[Site, BlackHole]]:
    """A site whose visitors come through a proxy that can hold or cut connections."""
    yield site_behind_proxy
    site_behind_proxy[1].pass_everything()
