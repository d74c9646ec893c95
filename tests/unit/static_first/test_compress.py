"""Compressed copies of files, one for each content."""

import gzip
import os
from pathlib import Path

import brotli

from site_app.plugins.static_first.postprocess import compress

TEXT = "<p>A page, and the same again and again.</p>" * 20


def test_a_text_is_compressed_by_gzip_and_brotli_and_a_picture_by_neither(tmp_path: Path) -> None:
    site, cache = tmp_path / "site", tmp_path / "kept"
    (site / "faq").mkdir(parents=True)
    (site / "faq/index.html").write_text(TEXT)
    (site / "card.png").write_bytes(TEXT.encode())

    compress(site, cache)

    assert brotli.decompress((site / "faq/index.html.br").read_bytes()).decode() == TEXT
    assert gzip.decompress((site / "faq/index.html.gz").read_bytes()).decode() == TEXT
    assert not (site / "card.png.br").exists()


def test_unchanged_files_are_taken_from_the_previous_build(tmp_path: Path) -> None:
    site, cache = tmp_path / "site", tmp_path / "kept"
    site.mkdir()
    (site / "same.js").write_text(TEXT)
    (site / "changed.js").write_text(TEXT + "1")
    compress(site, cache)
    files_before = {file.name for file in cache.iterdir()}
    for file in cache.iterdir():
        os.utime(file, (1, 1))

    (site / "changed.js").write_text(TEXT + "2")
    compress(site, cache)

    files_after = {file.name for file in cache.iterdir()}
    assert len(files_before & files_after) == 2
    assert all((cache / name).stat().st_mtime == 1 for name in files_before & files_after)
    assert brotli.decompress((site / "changed.js.br").read_bytes()).decode() == TEXT + "2"
