"""A copy of the project with further pages: exported once for a static host, and served by its own app as well."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.browser.exported.own_pages import OWN_PAGES
from tests.browser.static_host import hosted
from tests.support.project_copy import project_copy
from tests.support.site_server import PATIENT, Site, environment, free_port


@pytest.fixture(scope="package")
def exported(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Site]]:
    """Yields the URL of the static host, and the app behind it."""
    folder, port, app_port = tmp_path_factory.mktemp("export"), free_port(), free_port()
    root, out = project_copy(folder / "project"), folder / "out"
    for name, text in OWN_PAGES.items():
        (root / name).write_text(text)
    own_settings = {"SITE_URL": f"http://localhost:{port}", "SITE_BACKEND_URL": f"http://localhost:{app_port}"}
    command = [sys.executable, "-m", "site_app", "export", str(out)]
    process = subprocess.run(command, cwd=root, env=environment(own_settings), capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout[-3000:] + process.stderr[-3000:]
    app = Site(app_port, folder / "var", PATIENT | own_settings)
    app.root = root
    app.start()
    with hosted(out, port) as url:
        yield url, app
    app.kill()


@pytest.fixture
def exported_pages(exported: tuple[str, Site]) -> str:
    """Returns the URL of the static host."""
    return exported[0]


@pytest.fixture
def exported_site(exported: tuple[str, Site]) -> Site:
    """Returns the app, which stores the leads and serves the same pages."""
    return exported[1]
