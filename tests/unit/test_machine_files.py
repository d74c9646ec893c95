"""Proves the files that programs read; their feeds are in publications/test_feeds.py."""

from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Self

import pytest

from site_app.core.settings import Settings
from site_app.layout import machine_files


@pytest.mark.parametrize("today", ["2026-01-01", "2026-01-31", "2026-02-28", "2026-11-30", "2026-12-31", "2028-02-29"])
def test_security_txt_expires_in_ten_months_to_a_year(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, today: str) -> None:
    now = datetime.fromisoformat(f"{today}T12:00:00+00:00")

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return cls.fromtimestamp(now.timestamp(), tz)

    monkeypatch.setattr(machine_files, "datetime", Clock)
    monkeypatch.setattr(machine_files, "_sitemap", lambda *_: b"")  # it reads built pages
    machine_files.write_machine_files(tmp_path, Settings())
    text = (tmp_path / ".well-known/security.txt").read_text()

    (expires,) = (line.removeprefix("Expires: ") for line in text.splitlines() if line.startswith("Expires: "))
    assert now + timedelta(days=300) <= datetime.fromisoformat(expires).astimezone(UTC) < now + timedelta(days=365)
