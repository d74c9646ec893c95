"""What CI runs: the checks, the tests with their second and third try, several processes, and pytest's summary at the end."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# A make that writes down what it was asked, fails its first FAILING tests, and a trial of several processes where that is broken.
_MAKE = """#!/bin/sh
echo "$1" >> asked
case "$1" in
  test)
    echo "some tests"; echo "summary $(grep -c '^test$' asked)"
    [ "$(grep -c '^test$' asked)" -gt "$FAILING" ] ;;
  scale-test) echo "$2"; [ -z "$BROKEN" ] ;;
esac
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", tmp_path / ".ci/run")
    kept = tmp_path / ".pytest_cache/v/cache"
    kept.mkdir(parents=True)
    (kept / "lastfailed").write_text('{\n  "tests/test_a.py::test_b": true\n}')
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/make").write_text(_MAKE)
    (tmp_path / "bin/make").chmod(0o755)
    return tmp_path


def ran(house: Path, *, failing: int = 0, broken: str = "") -> tuple[int, list[str], list[str]]:
    """How it ended, what was asked of make, and the lines that were said."""
    environment = {"PATH": f"{house / 'bin'}:{os.environ['PATH']}", "FAILING": str(failing), "BROKEN": broken}
    done = subprocess.run([str(house / ".ci/run")], env=environment, capture_output=True, text=True, check=False)
    return done.returncode, (house / "asked").read_text().split(), done.stdout.splitlines()


def test_all_is_run_in_its_short_form_and_the_summary_comes_last(house: Path) -> None:
    code, asked, said = ran(house)

    assert (code, asked) == (0, ["check", "test", "scale-test"])
    assert said[-2:] == ["ROWS=--short", "summary 1"]


def test_what_failed_is_named_and_may_pass_on_its_third_try(house: Path) -> None:
    code, asked, said = ran(house, failing=2)

    assert (code, asked) == (0, ["check", "test", "test", "test", "scale-test"])
    assert "  tests/test_a.py::test_b" in said
    assert said[-1] == "summary 3"


def test_what_fails_three_times_fails(house: Path) -> None:
    code, asked, _ = ran(house, failing=3)

    assert (code != 0, asked) == (True, ["check", "test", "test", "test"])


def test_a_promise_that_several_processes_break_fails(house: Path) -> None:
    code, _, said = ran(house, broken="yes")

    assert code != 0
    assert not said[-1].startswith("summary")
