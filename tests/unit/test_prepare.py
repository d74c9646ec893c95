"""Messages if the site cannot be set up; installed packages are not installed again."""

import shutil
import sys
from pathlib import Path

import pytest

from site_app.cli import prepare

ENOUGH = prepare.NEEDED_BYTES


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with an environment and no packages."""
    for lock in prepare.LOCKS:
        shutil.copy(Path(prepare.ROOT) / lock, tmp_path / lock)
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").symlink_to(sys.executable)
    monkeypatch.setattr(prepare, "ROOT", str(tmp_path))
    monkeypatch.setattr(prepare, "VENV", str(tmp_path / ".venv"))
    for name in ("SITE_HOST", "SITE_PORT", "SITE_ENV_FILE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("version", "free", "system", "sentence"),
    [
        ((3, 10, 4), ENOUGH, "posix", "3.10"),
        ((3, 13, 0), ENOUGH - 1, "posix", "free disk"),
        ((3, 13, 0), ENOUGH, "nt", "WSL"),
    ],
)
def test_a_missing_requirement_is_reported_in_a_sentence(
    version: tuple[int, ...], free: int, system: str, sentence: str
) -> None:
    problem = prepare.missing(version, free, system)

    assert problem
    assert sentence in problem


def test_a_new_enough_python_is_accepted() -> None:
    assert prepare.missing((3, 14, 0), ENOUGH, "posix") is None


@pytest.mark.parametrize(
    ("installed", "requirements", "installs"),
    [
        ("requirements-dev.txt", "requirements.txt", False),
        ("requirements-build.txt", "requirements-build.txt", False),
        ("requirements.txt", "requirements-build.txt", True),
    ],
)
def test_packages_of_a_larger_set_are_not_installed_again(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, installed: str, requirements: str, installs: bool
) -> None:
    shutil.copy(checkout / installed, checkout / ".venv" / f"installed-{installed}")
    started: list[list[str]] = []
    monkeypatch.setattr(prepare, "_failed", lambda command: started.append(command) is not None)

    prepare.main(requirements)

    assert bool(started) == installs


@pytest.mark.parametrize("line", ["SITE_PORT={}", 'export SITE_PORT = "{}"  # ours', "SITE_PORT=1\nSITE_PORT='{}'"])
def test_a_taken_port_is_reported_before_anything_is_installed(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, taken_port: int, line: str
) -> None:
    (checkout / ".env").write_text(line.format(taken_port) + "\n")
    monkeypatch.setattr(prepare, "_failed", lambda command: pytest.fail(f"{command} was run"))

    with pytest.raises(SystemExit, match=f"Port {taken_port} .*SITE_PORT"):
        prepare.main("requirements.txt", listens=True)


def test_the_environment_names_the_port_before_the_file_does(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, taken_port: int
) -> None:
    (checkout / ".env").write_text("SITE_PORT=0\n")
    monkeypatch.setenv("SITE_PORT", str(taken_port))

    with pytest.raises(SystemExit, match=f"Port {taken_port}"):
        prepare.main("requirements.txt", listens=True)


@pytest.mark.parametrize("text", ["http", "-1", "99999999", ""])
def test_an_invalid_port_is_left_to_the_command_that_reads_all_settings(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("SITE_PORT", text)
    monkeypatch.setattr(prepare, "_failed", lambda command: False)

    prepare.main("requirements.txt", listens=True)


def fake_pip(checkout: Path, text: str, *, code: int) -> None:
    """Replaces the environment's Python, which runs pip, by a script that prints a text and exits."""
    python = checkout / ".venv/bin/python"
    python.unlink()
    python.write_text(f"#!/bin/sh\necho '{text}' >&2\nexit {code}\n")
    python.chmod(0o755)


def test_pips_warnings_are_shown_only_where_it_fails(checkout: Path, capfd: pytest.CaptureFixture[str]) -> None:
    fake_pip(checkout, "WARNING: a hundred lines", code=0)
    prepare.main("requirements.txt")
    quiet = capfd.readouterr()

    fake_pip(checkout, "ERROR: no such package", code=1)
    with pytest.raises(SystemExit, match="could not be installed"):
        prepare.main("requirements-build.txt")
    failed = capfd.readouterr()

    assert "WARNING" not in quiet.out + quiet.err
    assert "ERROR: no such package" in failed.err


def test_packages_are_compiled_by_all_cores_after_pip_and_a_file_that_does_not_compile_is_no_problem(
    checkout: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    python = checkout / ".venv/bin/python"
    python.unlink()
    python.write_text(f'#!/bin/sh\necho "$*" >> {checkout / "log"}\n[ "$2" != compileall ]\n')
    python.chmod(0o755)

    prepare.main("requirements.txt")

    pip, compiling, _ = (checkout / "log").read_text().splitlines()
    assert "install --no-compile" in pip
    assert compiling.startswith("-m compileall -q -j 0 ")
    assert "the packages are installed" in capfd.readouterr().out
