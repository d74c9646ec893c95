"""A copy of the project that a test may change and build."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = (
    "site_app",
    "components",
    "locales",
    "assets",
    "alembic",
    "reflex.lock",
    "rxconfig.py",
    "requirements-build.txt",
    "pyproject.toml",
)
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's sources, with npm's packages from here."""
    tmp_path = tmp_path_factory.mktemp("project")
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path / name)
    shutil.copytree(ROOT / ".web", tmp_path / ".web", symlinks=True, ignore=shutil.ignore_patterns("build", "node_modules"))
    (tmp_path / ".web" / "node_modules").symlink_to(ROOT / ".web" / "node_modules")
    return tmp_path


@pytest.fixture(scope="session")
def run(copy: Path) -> Run:
    """Runs this Python in the copy, with nothing set."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SITE_")}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True)

    return run
