"""A folder of its own for files of Markdown, and their contents."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from components.art import pictures
from site_app.content.publications import ARTICLES, CASES, PublicationKind, files
from tests.unit.publications.front_matter import FRONT


@pytest.fixture(autouse=True)
def _pictures_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "_CACHE", tmp_path / "cache")
    monkeypatch.setattr(pictures, "_SERVED", tmp_path / "served")
    monkeypatch.delenv("REFLEX_ENV_MODE", raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "texts").mkdir()
    return tmp_path / "texts"


@pytest.fixture
def articles(folder: Path) -> PublicationKind:
    return replace(ARTICLES, subfolder=folder)


@pytest.fixture
def cases(folder: Path) -> PublicationKind:
    return replace(CASES, subfolder=folder)


@pytest.fixture
def write(folder: Path) -> Callable[..., Path]:
    """Writes an article: its name, its text, and further lines of its front matter."""

    def write(name: str = "estimates.md", text: str = "Text.\n", more_fields: str = "", front: str = FRONT) -> Path:
        file = folder / name
        files._read.cache_clear()  # a process reads its files once
        files._public_on.cache_clear()
        file.write_text(front.format(more_fields=more_fields) + text, encoding="utf-8")
        return file

    return write


@pytest.fixture
def draw_picture(folder: Path) -> Callable[..., Path]:
    def draw_picture(name: str = "square.png", size: tuple[int, int] = (1800, 900), color: str = "#6141ac") -> Path:
        file = folder / name
        Image.new("RGB", size, color).save(file)
        return file

    return draw_picture
