"""`make new-page` writes a page that builds."""

import os
import shutil
import subprocess
import sys
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
    "requirements.txt",
    "pyproject.toml",
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project's sources, with npm's packages from here."""
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path / name)
    shutil.copytree(ROOT / ".web", tmp_path / ".web", symlinks=True, ignore=shutil.ignore_patterns("build", "node_modules"))
    (tmp_path / ".web" / "node_modules").symlink_to(ROOT / ".web" / "node_modules")
    return tmp_path


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SITE_")}
    command = [sys.executable, "-m", "site_app", *arguments]
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)


def test_a_new_page_builds_in_every_language(copy: Path) -> None:
    written = run(copy, "new-page", "/company/careers", "Careers")
    built = run(copy, "build")

    assert written.returncode == 0, written.stderr
    assert built.returncode == 0, built.stderr[-3000:]
    pages = [copy / ".web/build/client" / prefix / "company/careers/index.html" for prefix in (".", "th", "cn")]
    assert all("<h1" in page.read_text() for page in pages)
    assert "/company/careers" in (copy / ".web/build/client/sitemap.xml").read_text()


@pytest.mark.parametrize("path", ["/company/careers", "/a"])
def test_what_is_written_is_in_style(copy: Path, path: str) -> None:
    run(copy, "new-page", path, "Careers and whatever else one does here")

    for look in (["check"], ["format", "--check"]):
        found = subprocess.run([sys.executable, "-m", "ruff", *look, "site_app"], cwd=copy, capture_output=True, text=True)
        assert found.returncode == 0, found.stdout


@pytest.mark.parametrize(("path", "title"), [("careers", "C"), ("/Careers", "C"), ("/faq", "C"), ("/x", ""), ("/x", 'a"b')])
def test_what_would_not_build_is_refused(copy: Path, path: str, title: str) -> None:
    before = (copy / "site_app/routes.py").read_text()

    refused = run(copy, "new-page", path, title)

    assert refused.returncode != 0
    assert refused.stderr.count("\n") == 1
    assert (copy / "site_app/routes.py").read_text() == before
