"""What is said where the site cannot be set up, and what is not installed twice."""

import shutil
from pathlib import Path

import pytest

from site_app import prepare

ENOUGH = prepare.NEEDED_BYTES


@pytest.mark.parametrize(
    ("version", "free", "system", "said"),
    [
        ((3, 10, 4), ENOUGH, "posix", "3.10"),
        ((3, 13, 0), ENOUGH - 1, "posix", "free disk"),
        ((3, 13, 0), ENOUGH, "nt", "WSL"),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(version: tuple[int, ...], free: int, system: str, said: str) -> None:
    problem = prepare.missing(version, free, system)

    assert problem
    assert said in problem


def test_a_python_that_is_new_enough_will_do() -> None:
    assert prepare.missing((3, 14, 0), ENOUGH, "posix") is None


@pytest.mark.parametrize(
    ("installed", "wanted", "installs"),
    [
        ("requirements-dev.txt", "requirements.txt", False),
        ("requirements-build.txt", "requirements-build.txt", False),
        ("requirements.txt", "requirements-build.txt", True),
    ],
)
def test_what_a_larger_set_has_is_not_installed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: str, wanted: str, installs: bool
) -> None:
    for lock in prepare.LOCKS:
        shutil.copy(Path(prepare.ROOT) / lock, tmp_path / lock)
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").touch()
    shutil.copy(tmp_path / installed, tmp_path / ".venv" / f"installed-{installed}")
    started: list[list[str]] = []
    monkeypatch.setattr(prepare, "ROOT", str(tmp_path))
    monkeypatch.setattr(prepare, "VENV", str(tmp_path / ".venv"))
    monkeypatch.setattr(prepare, "_failed", lambda command: started.append(command) is not None)

    prepare.main(wanted)

    assert bool(started) == installs
