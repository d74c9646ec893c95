"""Caches of earlier builds make a build faster and change nothing in it; a changed word changes no other page."""

import shutil
import subprocess
from pathlib import Path

import pytest

from site_app.plugins.static_first.toolchain import tool_environment
from tests.support.site_server import ROOT

PACKAGES = ("node_modules", "package.json", "package-lock.json", "reflex.install_frontend_packages.cached")
SECOND_PAGE = """
app.add_page(lambda: rx.el.main(rx.el.h1("Terms"), Hydrated.create()), route="/terms", title="Terms", description="Our terms")
"""


class Project:
    """The app of these tests with a second page. Installed packages are kept for the next run."""

    def __init__(self) -> None:
        self._folder = ROOT / ".cache/another_app_builds"
        shutil.copytree(Path(__file__).parent / "app", self._folder, dirs_exist_ok=True)
        self._module = self._folder / "another_app/another_app.py"
        self._source = self._module.read_text() + SECOND_PAGE
        self.forget_builds()

    def forget_builds(self) -> None:
        for file in (self._folder / ".web").glob("*"):
            if file.name not in PACKAGES:
                shutil.rmtree(file) if file.is_dir() else file.unlink()

    def build(self, words: str) -> dict[str, bytes]:
        """Returns the content of each file of the site, with these words on the first page."""
        self._module.write_text(self._source.replace("We send tea.", words))
        environment = tool_environment() | {"PYTHONPATH": str(ROOT), "PROJECT_URL": "http://localhost:3000"}
        command = ["reflex", "export", "--no-zip", "--frontend-only"]
        process = subprocess.run(command, cwd=self._folder, env=environment, capture_output=True, text=True, check=False)
        assert process.returncode == 0, process.stdout + process.stderr
        client = self._folder / ".web/build/client"
        return {file.relative_to(client).as_posix(): file.read_bytes() for file in client.rglob("*") if file.is_file()}


@pytest.mark.slow
def test_a_build_after_others_makes_the_same_files_as_one_without_them() -> None:
    project = Project()
    first_page = project.build("We send tea.")

    second_page = project.build("We send coffee.")
    project.forget_builds()
    anew = project.build("We send coffee.")

    assert {path for path in second_page | anew if second_page.get(path) != anew.get(path)} == set()
    assert b"We send coffee." in second_page["index.html"]
    assert {path for path in first_page if second_page.get(path) == first_page[path]} >= {
        "terms/index.html",
        "terms/index.html.br",
    }
