"""`make release`: closes the changelog's section, sets the version, commits both and tags the commit."""

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

_PROJECT, _CHANGELOG = Path("pyproject.toml"), Path("CHANGELOG.md")
_VERSION = re.compile(r'^version = "([^"]*)"$', re.MULTILINE)
_NAME = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
_UNRELEASED = "## [Unreleased]\n"
_USAGE = "make release VERSION=1.2.0 closes the changelog's section, sets the version, commits both and tags the commit."


def release(version: str) -> None:
    """Makes a release of what is committed. Refuses, and changes nothing, if the version or the checkout is not fit for one."""
    if problem := _problem(version):
        sys.exit(problem)
    log = _CHANGELOG.read_text()
    _CHANGELOG.write_text(log.replace(_UNRELEASED, f"{_UNRELEASED}\n## [{version}] - {datetime.now(UTC).date()}\n", 1))
    _PROJECT.write_text(_VERSION.sub(f'version = "{version}"', _PROJECT.read_text(), count=1))
    _git("add", str(_CHANGELOG), str(_PROJECT))
    _git("commit", "--quiet", "--message", f"Release {version}")
    _git("tag", "--annotate", f"v{version}", "--message", version)
    print(f"Tagged v{version}. To publish it: git push --follow-tags. The guide for operators: docs/operate/deploy.md.")


def _problem(version: str) -> str:
    """Returns why this release cannot be made, or "" if it can."""
    if not _NAME.fullmatch(version):
        return f"{version!r} is no version such as 1.2.0."
    current = _VERSION.search(_PROJECT.read_text())
    if current and _numbers(version) <= _numbers(current[1]):
        return f"{version} is not above {current[1]}, the version in {_PROJECT}."
    _, heading, entries = _CHANGELOG.read_text().partition(_UNRELEASED)
    if not heading or "\n- " not in entries.partition("\n## [")[0]:
        return f"{_CHANGELOG} has nothing under {_UNRELEASED.strip()}: say there what changed."
    if changes := _git("status", "--porcelain"):
        return f"These files are not committed:\n{changes}"
    if _git("tag", "--list", f"v{version}"):
        return f"The tag v{version} exists already."
    return ""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _git(*arguments: str) -> str:
    command = ["git", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    release(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(_USAGE)
