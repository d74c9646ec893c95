"""`make lock` reports changed packages, renews the requested ones, and leaves the files unchanged on failure. An unchecked package is never reported as safe."""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from site_app.cli.develop import packages
from site_app.cli.develop.packages import first_of, lock, vulnerabilities_in

ROOT = Path(__file__).parents[3]
LOCKS = ("requirements.txt", "requirements-build.txt", "requirements-dev.txt")
OLD = "httpx==1.0 \\\n    --hash=sha256:aa\nold-name==2.0 \\\n    --hash=sha256:bb\n"
NEW = "httpx==1.1 \\\n    --hash=sha256:cc\nnewcomer==0.1 ; sys_platform == 'linux' \\\n    --hash=sha256:dd\n"
SAFE = {"name": "httpx", "version": "1", "vulns": []}
SKIPPED = {"name": "httpx", "skip_reason": "not found on PyPI"}
HOLED = {"name": "jinja2", "version": "1", "vulns": [{"id": "CVE-1"}]}


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Returns the command lines that uv gets, in a directory with three old locks; the fake uv writes new ones."""
    monkeypatch.chdir(tmp_path)
    for name in LOCKS:
        Path(name).write_text(OLD)
    command_lines: list[list[str]] = []

    def compile_lock(command: Sequence[str]) -> bool:
        command_lines.append(list(command))
        Path(command[command.index("-o") + 1]).write_text(NEW)
        return True

    monkeypatch.setattr(packages, "_compile", compile_lock)
    return command_lines


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_every_package_that_its_packages_need(name: str) -> None:
    """They are installed as the lock says, and pip looks for nothing beside it."""
    locked = {canonicalize_name(pin.name): pin.specifier for pin in map(Requirement, pins((ROOT / name).read_text("utf-8")))}
    needed = [(package, requirement) for package in locked for requirement in needs_of(package, frozenset(), visited=set())]

    lacking = [
        f"{package} needs {requirement}"
        for package, requirement in needed
        if str(locked.get(canonicalize_name(requirement.name)))[2:] not in requirement.specifier
    ]

    assert len(needed) > len(locked)
    assert lacking == []


def pins(text: str) -> list[str]:
    """Returns the lines of a lock that name a version and apply here."""
    lines = [line.partition(" \\")[0] for line in text.splitlines() if "==" in line and not line.startswith((" ", "#"))]
    return [line for line in lines if applies(Requirement(line), "")]


def needs_of(package: str, extras: frozenset[str], visited: set[tuple[str, frozenset[str]]]) -> Iterator[Requirement]:
    """Yields what the installed package needs here with the extras, and what the extras of that need."""
    if (package, extras) in visited:
        return
    visited.add((package, extras))
    for text in distribution(package).requires or []:
        requirement = Requirement(text)
        if any(applies(requirement, extra) for extra in extras or {""}):
            yield requirement
            if requirement.extras:
                yield from needs_of(requirement.name, frozenset(requirement.extras), visited)


def applies(requirement: Requirement, extra: str) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def test_changed_packages_are_reported_once_for_all_three_locks(
    commands: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    lock()

    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["httpx", "1.0", "→", "1.1"],
        ["newcomer", "new:", "0.1"],
        ["old-name", "2.0", "is", "gone"],
    ]
    assert [command[command.index("-o") + 1] for command in commands] == list(LOCKS)


def test_without_changes_the_command_explains_how_to_renew_a_package(
    commands: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    for name in LOCKS:
        Path(name).write_text(NEW)

    lock()

    output = capsys.readouterr().out
    assert "Nothing has moved" in output
    assert "make lock PACKAGE=" in output


def test_only_the_package_that_is_named_is_renewed(commands: list[list[str]]) -> None:
    lock("Httpx", "old_name")

    assert commands
    assert all("--upgrade" not in command for command in commands)
    for command in commands:
        assert [command[at + 1] for at, part in enumerate(command) if part == "--upgrade-package"] == ["httpx", "old-name"]


def test_all_packages_are_upgraded_on_request(commands: list[list[str]]) -> None:
    lock(everything=True)

    assert commands
    assert all("--upgrade" in command for command in commands)


def test_an_unlocked_package_is_named_and_nothing_changes(commands: list[list[str]]) -> None:
    with pytest.raises(SystemExit, match="htpx"):
        lock("htpx")

    assert commands == []


def test_locks_stay_unchanged_if_one_cannot_be_made(commands: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    write = packages._compile
    monkeypatch.setattr(packages, "_compile", lambda command: write(command) and "--group" not in command)

    with pytest.raises(SystemExit, match="uv"):
        lock()

    assert {Path(name).read_text() for name in LOCKS} == {OLD}


def test_no_advisory_for_any_package_passes() -> None:
    assert vulnerabilities_in([SAFE, SAFE]) == []


def test_a_skipped_package_means_not_checked() -> None:
    assert vulnerabilities_in([SAFE, SKIPPED]) is None


def test_an_advisory_fails_even_if_packages_were_skipped() -> None:
    assert vulnerabilities_in([HOLED, SKIPPED]) == ["jinja2 CVE-1"]


def test_the_first_package_of_a_lock_file_comes_with_its_hashes() -> None:
    lock = "# made by a tool\nalembic==1.2 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n    # via\nanyio==4 \\\n    --hash=sha256:cc\n"

    assert first_of(lock) == "alembic==1.2 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n"


def test_the_site_is_served_without_the_packages_of_the_build() -> None:
    """`make serve` and the image install only requirements.txt."""
    served, built = (set(re.findall(r"^([\w.-]+)==", (ROOT / name).read_text(), re.MULTILINE)) for name in LOCKS[:2])
    modules = {
        module
        for module, packages in packages_distributions().items()
        if {canonicalize_name(package) for package in packages} <= built - served
    }
    program = f"import sys; sys.modules |= dict.fromkeys({sorted(modules)}); import site_app.asgi, site_app.site_app"

    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)

    assert "resvg_py" in modules
    assert result.returncode == 0, result.stderr
