"""What kind of file it is, by its content and its name together; they must agree."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import puremagic

from site_app.contracts.attachment import EXTENSIONS
from site_app.services.images import rewrite_image
from site_app.services.refusals import FileRefused

MOST_ENTRIES = 5_000
MOST_UNPACKED = 200 * 1024 * 1024  # bytes
MOST_RATIO = 100
_OFFICE = {"docx": "word/document.xml", "xlsx": "xl/workbook.xml", "pptx": "ppt/presentation.xml"}
_MARKUP = (b"<!doctype", b"<html", b"<svg", b"<?xml", b"<script", b"<head", b"<body")


def examined(file: Path, name: str) -> str:
    """The file's kind; an image is written anew on the way, without anything that is not picture."""
    kind = Path(name).suffix.lower().lstrip(".")
    if kind not in EXTENSIONS:
        raise FileRefused("file_kind_unknown")
    if file.stat().st_size == 0:
        raise FileRefused("file_empty")
    kind = "jpg" if kind == "jpeg" else kind
    _CHECKS[kind](file, kind)
    return kind


def _pdf(file: Path, kind: str) -> None:
    _agree(file, {".pdf"})
    with file.open("rb") as opened:
        if not opened.read(5) == b"%PDF-":
            raise FileRefused("file_misnamed")


def _image(file: Path, kind: str) -> None:
    _agree(file, {".jpg", ".jpeg", ".jfif"} if kind == "jpg" else {f".{kind}"})
    rewrite_image(file, kind)


def _text(file: Path, kind: str) -> None:
    content = file.read_bytes()
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise FileRefused("file_misnamed") from None
    if any(mark < " " and mark not in "\t\n\r\f" for mark in text):
        raise FileRefused("file_misnamed")
    if text.lstrip().lower().encode().startswith(_MARKUP):
        raise FileRefused("file_misnamed")


def _archive(file: Path, kind: str) -> None:
    _agree(file, {".zip", *(f".{office}" for office in _OFFICE)})
    try:
        with zipfile.ZipFile(file) as opened:
            entries = opened.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError):
        raise FileRefused("file_broken") from None
    _no_bomb(entries, file.stat().st_size)
    names = {entry.filename for entry in entries}
    if kind in _OFFICE and (not {"[Content_Types].xml", _OFFICE[kind]} <= names):
        raise FileRefused("file_misnamed")
    if kind in _OFFICE and any(Path(name).name.lower() == "vbaproject.bin" for name in names):
        raise FileRefused("file_has_macros")


def _no_bomb(entries: list[zipfile.ZipInfo], size: int) -> None:
    unpacked = sum(entry.file_size for entry in entries)
    # Entries that share their bytes add up to more than the file is long.
    if sum(entry.compress_size for entry in entries) > size or len({entry.header_offset for entry in entries}) < len(entries):
        raise FileRefused("archive_unsafe")
    if len(entries) > MOST_ENTRIES or unpacked > MOST_UNPACKED or unpacked > max(size * MOST_RATIO, 1024 * 1024):
        raise FileRefused("archive_unsafe")
    for entry in entries:
        if entry.filename.startswith(("/", "\\")) or ".." in entry.filename.replace("\\", "/").split("/"):
            raise FileRefused("archive_unsafe")


def _agree(file: Path, extensions: set[str]) -> None:
    try:
        found = {match.extension for match in puremagic.magic_file(file)}
    except (puremagic.PureError, ValueError):
        found = set()
    if not found & extensions:
        raise FileRefused("file_misnamed")


_CHECKS: dict[str, Callable[[Path, str], None]] = {
    "pdf": _pdf,
    "png": _image,
    "jpg": _image,
    "webp": _image,
    "txt": _text,
    "md": _text,
    "docx": _archive,
    "xlsx": _archive,
    "pptx": _archive,
    "zip": _archive,
}
