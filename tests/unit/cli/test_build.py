"""A failed build reports its reason and leaves the lock files unchanged."""

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


def test_a_failed_build_reports_the_mistake_and_keeps_the_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("site_app.cli.build._TOOLS", tmp_path)
    settings.cache_clear()
    (tmp_path / "reflex").write_text(REFLEX)
    (tmp_path / "reflex").chmod(0o700)
    lock = tmp_path / "reflex.lock/package.json"
    lock.parent.mkdir()
    lock.write_text("{}")
    (tmp_path / ".web").mkdir()

    with pytest.raises(SystemExit):
        build()

    assert "the mistake in the text" in capsys.readouterr().err
    assert lock.read_text() == "{}"
