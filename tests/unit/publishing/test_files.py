"""Texts and pictures of SITE_CONTENT: what is listed, what is read, and what is never opened."""

import os
from pathlib import Path

import pytest

from components.art import pictures
from site_app.contracts.publication import ARTICLE, CASE, MAX_MEGAPIXELS, MAX_PICTURE_HEIGHT, PICTURE_ENDINGS
from site_app.core.settings import load
from site_app.provider.publishing.files import ContentFiles, WrongPath, checked_path, picture_path, text_path, translations_path


@pytest.fixture
def files(tmp_path: Path) -> ContentFiles:
    for folder in ("articles", "case_studies"):
        (tmp_path / "content" / folder).mkdir(parents=True)
    return ContentFiles(load({"SITE_CONTENT": str(tmp_path / "content")}))


def test_texts_are_listed_with_their_languages_and_pictures_by_name(files: ContentFiles) -> None:
    folder = files.root / "articles"
    for name in (
        "b.md",
        "a.md",
        "a.cn.md",
        "a.th.md",
        "a.xx.md",
        "Bad Name.md",
        ".hidden.md",
        "page.md",
        "board.png",
        "notes.txt",
    ):
        (folder / name).write_text(name)

    assert files.texts(ARTICLE) == {"a": ("en", "th", "cn"), "b": ("en",)}
    assert files.pictures(ARTICLE) == ("board.png",)
    assert files.texts(CASE) == {}
    assert files.text(ARTICLE, "a", "th") == "a.th.md"
    assert files.picture(ARTICLE, "board.png") == b"board.png"
    assert files.text(ARTICLE, "c") is None


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_lines_of_a_text_end_alike_whatever_program_wrote_it(files: ContentFiles, line_end: str) -> None:
    (files.root / "articles/a.md").write_bytes(f"\ufeff---{line_end}title: A\0{line_end}---{line_end}Text".encode())

    assert files.text(ARTICLE, "a") == "---\ntitle: A\ufffd\n---\nText"


def test_nothing_outside_the_folder_is_read(files: ContentFiles, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("secret")
    folder = files.root / "articles"
    (folder / "linked.md").symlink_to(secret)
    (folder / "linked.png").symlink_to(secret)
    os.mkfifo(folder / "pipe.md")
    (folder / "large.md").write_bytes(b"x" * 1_000_001)
    (files.root / "case_studies").rmdir()
    (files.root / "case_studies").symlink_to(tmp_path)

    assert files.texts(ARTICLE) == {"large": ("en",)}
    assert [files.text(ARTICLE, slug) for slug in ("linked", "pipe", "large")] == [None, None, None]
    assert files.picture(ARTICLE, "linked.png") is None
    assert files.texts(CASE) == {}
    assert files.text(CASE, "secret") is None


@pytest.mark.parametrize("path", ["articles/a.md", "articles/a.th.md", "case_studies/a-b.cn.md", "articles/Board_1.v2.PNG"])
def test_paths_of_texts_and_pictures_are_accepted(path: str) -> None:
    assert checked_path(path) == path


@pytest.mark.parametrize(
    "path",
    [
        *("", "a.md", "articles", "articles/", "/articles/a.md", "articles/../a.md", "articles//a.md", "legals/a.md"),
        *("articles/a.en.md", "articles/a.xx.md", "articles/A.md", "articles/page.md", "articles/a/b.md", "articles/.a.md"),
        *("articles/a.py", "articles/a.md\n", "articles/a.svg", "articles/.png", "articles/a.png\0", "articles/..png"),
        *("articles/a.png/b.png", "articles/a.md.png.exe", "articles/" + "a" * 81 + ".md", "articles/" + "a" * 100 + ".png"),
    ],
)
def test_a_path_of_no_text_or_picture_is_refused(path: str) -> None:
    with pytest.raises(WrongPath):
        checked_path(path)


def test_a_path_has_only_a_kind_a_slug_and_a_language() -> None:
    assert text_path(CASE, "a-b", "th") == "case_studies/a-b.th.md"
    for address in (("article", "../a", "en"), ("x", "a", "en"), ("article", "a", "xx")):
        with pytest.raises(WrongPath):
            text_path(*address)
    with pytest.raises(WrongPath):
        picture_path(ARTICLE, "../a.png")


def test_translations_have_a_catalog_for_each_language_but_english(files: ContentFiles) -> None:
    assert files.translations("th") is None
    (files.root / "translations").mkdir()
    (files.root / "translations/th.po").write_bytes(b"words")
    assert files.translations("th") == b"words"
    assert checked_path("translations/cn.po") == translations_path("cn")
    for path in (
        "translations/en.po",
        "translations/xx.po",
        "translations/th",
        "translations/../th.po",
        "translations/th.po.po",
    ):
        with pytest.raises(WrongPath):
            checked_path(path)


def test_pictures_that_pages_can_show_are_those_that_may_be_written() -> None:
    assert PICTURE_ENDINGS == pictures.PICTURE_ENDINGS
    assert (MAX_MEGAPIXELS, MAX_PICTURE_HEIGHT) == (pictures.MAX_MEGAPIXELS, pictures.MAX_HEIGHT)
