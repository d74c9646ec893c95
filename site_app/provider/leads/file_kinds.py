"""Determines a file's kind from its content and its name, which must agree; rewrites pictures."""

import errno
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from site_app.contracts.fields import EXTENSIONS
from site_app.core.child_process import run_module_blocking
from site_app.provider.http.refusals import FileRefused
from site_app.provider.leads.archives import OFFICE, check_archive

PICTURES = frozenset({"png", "jpg", "jpeg", "webp"})
_MARKUP = ("<!doctype", "<html", "<svg", "<?xml", "<script", "<head", "<body")
_MAX_MARKUP_LENGTH = max(map(len, _MARKUP))
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f]")
_MAX_PICTURE_SECONDS = 12  # for a picture: a browser waits for 20 s, and the process ends itself after 8 s of CPU time
_BROKEN = "file_broken"
_TOO_LARGE = "picture_too_large"
_NO_ROOM = "no_room"
_PIECE_LENGTH = 64 * 1024  # characters


def check_and_clean_file(file: Path, name: str) -> str:
    """Checks a file by its name and content, and returns its kind. Rewrites an image, so that only the picture itself remains."""
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
    with file.open("rb") as stream:
        if not stream.read(5) == b"%PDF-":
            raise FileRefused("file_misnamed")


def _image(file: Path, kind: str) -> None:
    _agree(file, {".jpg", ".jpeg", ".jfif"} if kind == "jpg" else {f".{kind}"})
    rewrite_image(file, kind)


def rewrite_image(file: Path, kind: str) -> None:
    """Replaces the file by the same picture without metadata except the orientation. Of an animation only the first frame remains.

    Runs in a separate process, so that a picture cannot use up the site's memory or CPU time. Raises OSError if the disk is full.
    """
    try:
        process = run_module_blocking(
            "site_app.provider.leads.image_process", str(file.absolute()), kind, seconds=_MAX_PICTURE_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise FileRefused(_TOO_LARGE, too_large=True) from None
    problem = process.stdout.decode("ascii", "replace")
    if process.returncode:
        problem = _TOO_LARGE if process.returncode < 0 else _BROKEN  # killed by a resource limit, or a decoder error
    if problem == _NO_ROOM:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if problem:
        raise FileRefused(problem, too_large=problem == _TOO_LARGE)


def _text(file: Path, kind: str) -> None:
    """Checks a text file in UTF-8, in UTF-16 or in the character set of an older program, which nothing in the file names."""
    with file.open("rb") as stream:
        mark = stream.read(3)
    is_utf16 = mark.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        _check_text(file, "utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        if is_utf16 or mark == b"\xef\xbb\xbf":
            raise FileRefused("file_misnamed") from None
        # Latin-1 decodes any bytes; control characters and markup are the same in all of these character sets.
        _check_text(file, "latin-1")


def _check_text(file: Path, encoding: str) -> None:
    """Checks the text piece by piece: a whole file of 10 MB would take 40 MB as text, and searching it would hold up others."""
    beginning = ""
    with file.open(encoding=encoding, newline="") as stream:
        while piece := stream.read(_PIECE_LENGTH):
            if _CONTROL.search(piece):
                raise FileRefused("file_misnamed")
            if len(beginning) < _MAX_MARKUP_LENGTH:
                beginning = (beginning + piece).lstrip()[:_MAX_MARKUP_LENGTH]
    if beginning.lower().startswith(_MARKUP):
        raise FileRefused("file_misnamed")


def _archive(file: Path, kind: str) -> None:
    _agree(file, {".zip", *(f".{office}" for office in OFFICE)})
    check_archive(file, kind)


def _agree(file: Path, extensions: set[str]) -> None:
    import puremagic  # here, because a process that receives no files does without its 1.4 MB; files are examined in a thread

    try:
        detected = {match.extension for match in puremagic.magic_file(file)}
    except (puremagic.PureError, ValueError):
        detected = set()
    if not detected & extensions:
        raise FileRefused("file_misnamed")


_CHECKS: dict[str, Callable[[Path, str], None]] = {
    "pdf": _pdf,
    **dict.fromkeys(("png", "jpg", "webp"), _image),
    **dict.fromkeys(("txt", "md"), _text),
    **dict.fromkeys((*OFFICE, "zip"), _archive),
}
