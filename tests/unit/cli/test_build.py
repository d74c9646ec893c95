"""A failed build reports its reason and leaves the lock files unchanged; one that succeeds leaves Python compiled."""

from pathlib import Path

import pytest

from site_app.cli.build import build
from site_app.core.settings import settings

# Imitates Reflex with an incomplete .web: it recreates the folder, writes its own package.json, then fails.
REFLEX = """#!/bin/sh
rm -r .web
mkdir .web
echo anew > reflex.lock/package.json
echo "the mistake in the text"
exit 1
"""
BUILDING = """#!/bin/sh
mkdir -p .web/build/client
echo > .web/build/client/index.html
"""


SETVAR = """#!/bin/sh
echo "AttributeError: Variable \\`amount\\` cannot be set on \\`reflex___state____state.site_app___pages___lab____lab_state\\`"
exit 1
"""


@pytest.fixture(autouse=True)
def _checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("site_app.cli.build._TOOLS", tmp_path)
    settings.cache_clear()


def become_reflex(script: str) -> None:
    Path("reflex").write_text(script)
    Path("reflex").chmod(0o700)


def test_a_failed_build_reports_the_mistake_and_keeps_the_locks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    become_reflex(REFLEX)
    lock = tmp_path / "reflex.lock/package.json"
    lock.parent.mkdir()
    lock.write_text("{}")
    (tmp_path / ".web").mkdir()

    with pytest.raises(SystemExit):
        build()

    assert "the mistake in the text" in capsys.readouterr().err
    assert lock.read_text() == "{}"


def test_a_page_that_binds_setvar_learns_what_to_write() -> None:
    become_reflex(SETVAR)

    with pytest.raises(SystemExit) as stopped:
        build()

    assert str(stopped.value).startswith("The pages are not built:\nA page binds setvar for the var amount, ")
    assert "def set_amount(self, value: " in str(stopped.value)


def test_a_build_compiles_the_code_for_workers_that_may_not_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    Path("site_app").mkdir()
    Path("site_app/page.py").write_text("x = 1")
    become_reflex(BUILDING)

    build()

    assert [*Path("site_app").glob("__pycache__/page.*.pyc")]
