"""A copy of the project that a test may change and build."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.project_copy import Run, project_copy


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return project_copy(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="session")
def run(copy: Path) -> Run:
    """Runs this Python in the copy, without settings."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SITE_")}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True)

    return run
