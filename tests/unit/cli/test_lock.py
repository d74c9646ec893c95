"""`make lock` reports changed packages, renews the requested ones, and leaves the files unchanged on failure."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from site_app.cli import lock as lock_module
from site_app.cli.lock import lock

LOCKS = ("requirements.txt", "requirements-build.txt", "requirements-dev.txt")
OLD = "httpx==1.0 \\\n    --hash=sha256:aa\nold-name==2.0 \\\n    --hash=sha256:bb\n"
NEW = "httpx==1.1 \\\n    --hash=sha256:cc\nnewcomer==0.1 ; sys_platform == 'linux' \\\n    --hash=sha256:dd\n"


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the command lines that uv gets, in a directory with three old locks; the fake uv writes new ones."""
    monkeypatch.chdir(tmp_path)
    for name in LOCKS:
        Path(name).write_text(OLD)
    command_lines: list[list[str]] = []

    def compile_lock(command: Sequence[str]) -> bool:
        command_lines.append(list(command))
        Path(command[command.index("-o") + 1]).write_text(NEW)
        return True

    monkeypatch.setattr(lock_module, "_compile", compile_lock)
    return command_lines


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

    assert all("--upgrade" not in command for command in commands)
    for command in commands:
        assert [command[at + 1] for at, part in enumerate(command) if part == "--upgrade-package"] == ["httpx", "old-name"]


def test_all_are_renewed_where_that_is_asked_for(commands: list[list[str]]) -> None:
    lock(everything=True)

    assert all("--upgrade" in command for command in commands)


def test_an_unlocked_package_is_named_and_nothing_changes(commands: list[list[str]]) -> None:
    with pytest.raises(SystemExit, match="htpx"):
        lock("htpx")

    assert commands == []


def test_locks_stay_unchanged_if_one_cannot_be_made(commands: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    write = lock_module._compile
    monkeypatch.setattr(lock_module, "_compile", lambda command: write(command) and "--group" not in command)

    with pytest.raises(SystemExit, match="uv"):
        lock()

    assert {Path(name).read_text() for name in LOCKS} == {OLD}
