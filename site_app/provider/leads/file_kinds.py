"""Determines a file's kind from its content and its name, which must agree."""

import errno
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import puremagic

from site_app.contracts.answer import EXTENSIONS
from site_app.provider.endpoints.refusals import FileRefused
from site_app.provider.leads.archives import OFFICE, check_archive

PICTURES = frozenset({"png", "jpg", "jpeg", "webp"})
_MARKUP = ("<!doctype", "<html", "<svg", "<?xml", "<script", "<head", "<body")
_LONGEST_MARKUP = max(map(len, _MARKUP))
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f]")
_LONGEST_SECONDS = 12  # for a picture: a browser waits for 20 s, and the process ends itself after 8 s of CPU time
_ROOT = Path(__file__).parents[3]
_BROKEN, _TOO_LARGE, _NO_ROOM = "file_broken", "picture_too_large", "no_room"
_PIECE = 64 * 1024  # characters


def examined(file: Path, name: str) -> str:
    """Returns the file's kind. An image is rewritten, so that only the picture itself remains."""
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
    command = [sys.executable, "-m", "site_app.provider.leads.image_process", str(file.absolute()), kind]
    try:
        process = subprocess.run(command, cwd=_ROOT, capture_output=True, timeout=_LONGEST_SECONDS, check=False)  # noqa: S603
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
    """Checks a text file piece by piece: a whole file of 10 MB would take 40 MB as text, and searching it would hold up others."""
    with file.open("rb") as stream:
        encoding = "utf-16" if stream.read(2) in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    beginning = ""
    try:
        with file.open(encoding=encoding, newline="") as stream:
            while piece := stream.read(_PIECE):
                if _CONTROL.search(piece):
                    raise FileRefused("file_misnamed")
                if len(beginning) < _LONGEST_MARKUP:
                    beginning = (beginning + piece).lstrip()[:_LONGEST_MARKUP]
    except UnicodeDecodeError:
        raise FileRefused("file_misnamed") from None
    if beginning.lower().startswith(_MARKUP):
        raise FileRefused("file_misnamed")


def _archive(file: Path, kind: str) -> None:
    _agree(file, {".zip", *(f".{office}" for office in OFFICE)})
    check_archive(file, kind)


def _agree(file: Path, extensions: set[str]) -> None:
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
