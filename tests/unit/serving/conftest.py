"""The folder of a small built site."""

from pathlib import Path

import pytest

from tests.unit.serving.small_site import PAGE, PAGES, write_page


@pytest.fixture
def static(tmp_path: Path) -> Path:
    for path in PAGES:
        file = tmp_path / path.lstrip("/") / "index.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        write_page(file, PAGE.replace("{words}", path))
    (tmp_path / "assets").mkdir()
    write_page(tmp_path / "assets" / "boot-1234.js", "boot()")
    (tmp_path / "manifests").mkdir()
    write_page(tmp_path / "manifests" / "1234.js", "modules()")
    (tmp_path / "picture.png").write_bytes(bytes(range(200)))
    return tmp_path
