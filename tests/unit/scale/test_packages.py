"""A machine without engines is told what it lacks, and nothing of it is a failure of the site."""

import os
from pathlib import Path

import pytest

from tests.faults.scorecard import NotRun
from tests.scale import packages

WANTED = {"no-such-engine": "no-such-package"}


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory that is all of PATH, on a machine whose services are started nowhere."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(packages, "_STARTS_SERVICES", tmp_path / "policy-rc.d")
    return tmp_path


def a_program(place: Path, does: str) -> None:
    place.write_text(f"#!/bin/sh\n{does}\n")
    place.chmod(0o755)


def test_without_the_right_to_install_the_packages_are_named(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_program(bare / "apt-get", f"echo asked >> {bare}/asked")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    with pytest.raises(NotRun, match="install the packages no-such-package"):
        packages.programs(usual=WANTED)

    assert not (bare / "asked").exists()


def test_packages_that_cannot_be_had_are_named(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_program(bare / "apt-get", "exit 100")
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    with pytest.raises(NotRun, match="no-such-engine"):
        packages.programs(usual=WANTED)

    assert not (bare / "policy-rc.d").exists()


def test_a_system_that_may_not_be_written_is_no_failure(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_program(bare / "apt-get", "exit 0")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(packages, "_STARTS_SERVICES", bare / "no-such-directory" / "policy-rc.d")

    with pytest.raises(NotRun):
        packages.programs(usual=WANTED)


def test_what_could_be_installed_is_used(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_program(bare / "apt-get", f"printf '#!/bin/sh\\n' > {bare}/no-such-engine; /bin/chmod +x {bare}/no-such-engine")
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    found = packages.programs(usual=WANTED)

    assert found == {"no-such-engine": str(bare / "no-such-engine")}
