"""`make release` closes the changelog, sets the version, commits and tags; anything unfit is refused and changes nothing."""

import subprocess
from pathlib import Path

import pytest

from site_app.cli.develop.release import release

LOG = "# Changelog\n\n## [Unreleased]\n\n- Forms are quicker.\n\n## [0.9.0] - 2026-01-01\n\n- The first.\n"


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, of version 0.9.0."""
    monkeypatch.chdir(tmp_path)
    for name, value in {"NAME": "A", "EMAIL": "a@a.example"}.items():
        monkeypatch.setenv(f"GIT_AUTHOR_{name}", value)
        monkeypatch.setenv(f"GIT_COMMITTER_{name}", value)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    Path("pyproject.toml").write_text('[project]\nname = "shop"\nversion = "0.9.0"\n')
    Path("CHANGELOG.md").write_text(LOG)
    _git("init", "--quiet")
    _commit_all()
    return tmp_path


def test_a_release_is_a_section_a_version_a_commit_and_a_tag() -> None:
    release("0.10.0")

    log = Path("CHANGELOG.md").read_text()
    assert (
        log.index("## [Unreleased]") < log.index("## [0.10.0] - 20") < log.index("- Forms are quicker.") < log.index("[0.9.0]")
    )
    assert 'version = "0.10.0"' in Path("pyproject.toml").read_text()
    assert _git("log", "-1", "--format=%s") == "Release 0.10.0"
    assert _git("describe", "--exact-match") == "v0.10.0"
    assert _git("status", "--porcelain") == ""


@pytest.mark.parametrize("version", ["0.9.0", "0.8.9", "1.0", "v1.0.0", "1.0.0-rc1", ""])
def test_a_version_that_is_none_or_not_above_the_last_is_refused(version: str) -> None:
    _refused(version, version or "''")


def test_uncommitted_files_are_refused_by_name() -> None:
    Path("notes.txt").write_text("")

    _refused("1.0.0", "notes.txt")


def test_a_release_without_a_change_is_refused() -> None:
    Path("CHANGELOG.md").write_text(LOG.replace("- Forms are quicker.\n", ""))
    _commit_all()

    _refused("1.0.0", "Unreleased")


def test_a_tag_that_exists_is_refused() -> None:
    _git("tag", "v1.0.0")

    _refused("1.0.0", "exists")


def _refused(version: str, reason: str) -> None:
    commit = _git("rev-parse", "HEAD")
    log = Path("CHANGELOG.md").read_text()
    with pytest.raises(SystemExit, match=reason):
        release(version)
    assert _git("rev-parse", "HEAD") == commit
    assert Path("CHANGELOG.md").read_text() == log


def _commit_all() -> None:
    _git("add", "--all")
    _git("commit", "--quiet", "--message", "Change")


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout.strip()
