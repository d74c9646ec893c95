"""Files that are written whole or not at all."""

import os
from pathlib import Path

import pytest

from site_app.core.files import write_durably


def test_a_file_is_private_and_replaced_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "a.eml"

    for content in (b"a longer text", b"text"):
        write_durably(file, content)

    assert file.read_bytes() == b"text"
    assert file.stat().st_mode & 0o777 == 0o600
    assert [*tmp_path.iterdir()] == [file]


def test_a_full_disk_leaves_the_earlier_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.eml"
    write_durably(file, b"earlier")

    def fail(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_durably(file, b"later")

    assert file.read_bytes() == b"earlier"
    assert [*tmp_path.iterdir()] == [file]
