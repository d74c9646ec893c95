"""Determines a file's kind from its content and its name, which must agree; checks ZIP archives and Office files.

Refuses archives that unpack to more than they declare or outside their folder, or have macros.
"""

import errno
import os
import re
import stat
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from html import unescape
from io import BufferedReader, FileIO
from pathlib import Path

from site_app.contracts.fields import EXTENSIONS
from site_app.core import ROOT
from site_app.provider.http.refusals import FileRefused

MAX_ENTRIES = 5_000
MAX_UNPACKED_BYTES = 200 * 1024 * 1024
MAX_RATIO = 100
OFFICE = {"docx": "word/document.xml", "xlsx": "xl/workbook.xml", "pptx": "ppt/presentation.xml"}
_MAX_LIST_BYTES = 1024 * 1024  # 5,000 entries with names of 150 characters
_ARCHIVE_PIECE = 64 * 1024  # bytes
_DRIVE = re.compile(r"[A-Za-z]:")
_CONTENT_TYPES = "[Content_Types].xml"
_VBA_STREAM = "_VBA_PROJECT".encode("utf-16-le")  # the stream's name inside the part with the macros, which may have any name
_MACRO_TYPES = re.compile("vbaproject|macroenabled|macrosheet|<!entity", re.IGNORECASE)  # an entity could hide the others
# Flags of an entry.
_ENCRYPTED = 0x1
_SIZES_FOLLOW = 0x8
_LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_IN_ZIP64 = 0xFFFFFFFF
_MAX_TYPES_BYTES = 1024 * 1024  # of a part that lists types or relationships


class _BoundedReads(BufferedReader):
    """Limits the size of each read: an archive's list of 200,000 empty entries would take 100 MB as Python objects."""

    def read(self, size: int | None = -1, /) -> bytes:
        content = super().read(_MAX_LIST_BYTES + 1 if size is None or size < 0 else min(size, _MAX_LIST_BYTES + 1))
        if len(content) > _MAX_LIST_BYTES:
            raise FileRefused("archive_unsafe")
        return content


def check_archive(file: Path, kind: str) -> None:
    """Raises FileRefused for a damaged or unsafe archive, an Office file of another kind than `kind`, and one with macros."""
    try:
        with _BoundedReads(FileIO(file)) as stream, zipfile.ZipFile(stream) as archive:
            entries = archive.infolist()
            _check_list(entries, file.stat().st_size)
            names = {entry.filename for entry in entries}
            if kind in OFFICE and not {_CONTENT_TYPES, OFFICE[kind]} <= names:
                raise FileRefused("file_misnamed")
            is_package = _CONTENT_TYPES in names
            for entry in entries:
                _check_entry(stream, entry, is_package=is_package)
    except (zipfile.BadZipFile, zlib.error, struct.error, ValueError, NotImplementedError, OSError, EOFError):
        raise FileRefused("file_broken") from None


def _check_list(entries: list[zipfile.ZipInfo], size: int) -> None:
    unpacked = sum(entry.file_size for entry in entries)
    # Entries that share the same bytes add up to more than the file's size.
    if sum(entry.compress_size for entry in entries) > size or len({entry.header_offset for entry in entries}) < len(entries):
        raise FileRefused("archive_unsafe")
    if len(entries) > MAX_ENTRIES or unpacked > MAX_UNPACKED_BYTES or unpacked > max(size * MAX_RATIO, 1024 * 1024):
        raise FileRefused("archive_unsafe")
    if not all(_unpacks_beside(entry) for entry in entries):
        raise FileRefused("archive_unsafe")


def _unpacks_beside(entry: zipfile.ZipInfo) -> bool:
    """Returns True for a file or folder that unpacks inside the target folder on every operating system."""
    name = entry.orig_filename.replace("\\", "/")
    mode = entry.external_attr >> 16
    # FIFOs are accepted because `zip` marks piped input as one.
    is_link_or_device = stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFIFO)
    return not (name.startswith("/") or _DRIVE.match(name) or ".." in name.split("/") or "\0" in name or is_link_or_device)


def _check_entry(stream: BufferedReader, entry: zipfile.ZipInfo, *, is_package: bool) -> None:
    """Unpacks the entry piece by piece and compares it with its declaration in the archive's list."""
    stream.seek(entry.header_offset)
    mark, _, flags, method, _, _, _, packed, unpacked, name_length, extra_length = _LOCAL_HEADER.unpack(
        stream.read(_LOCAL_HEADER.size)
    )
    name = stream.read(name_length)
    if mark != b"PK\x03\x04" or method != entry.compress_type or name != _encoded(entry):
        raise FileRefused("archive_unsafe")
    sizes_are_here = not flags & _SIZES_FOLLOW and _IN_ZIP64 not in (packed, unpacked)
    if sizes_are_here and (packed, unpacked) != (entry.compress_size, entry.file_size):
        raise FileRefused("archive_unsafe")
    if (flags | entry.flag_bits) & _ENCRYPTED:
        if is_package:  # Office programs do not open a package with encrypted entries
            raise FileRefused("file_broken")
        return
    stream.seek(extra_length, 1)
    size = 0
    tail = b""
    is_list = entry.filename == _CONTENT_TYPES or entry.filename.endswith(".rels")
    text = bytearray()
    for piece in _unpacked(stream, entry):
        size += len(piece)
        if size > entry.file_size or (is_package and is_list and size > _MAX_TYPES_BYTES):
            raise FileRefused("archive_unsafe")
        if is_package:
            if _VBA_STREAM in tail + piece:
                raise FileRefused("file_has_macros")
            tail = piece[-len(_VBA_STREAM) :]
            text += piece if is_list else b""
    if size != entry.file_size:
        raise FileRefused("archive_unsafe")
    if is_package and (Path(entry.filename).name.lower() == "vbaproject.bin" or _MACRO_TYPES.search(_decoded(bytes(text)))):
        raise FileRefused("file_has_macros")


def _unpacked(stream: BufferedReader, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yields the entry's content in pieces. Refuses rare compression methods, because their unpacked size cannot be checked."""
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise FileRefused("archive_unsafe")
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    remaining = entry.compress_size
    while remaining:
        packed = stream.read(min(remaining, _ARCHIVE_PIECE))
        if not packed:
            raise EOFError
        remaining -= len(packed)
        if entry.compress_type == zipfile.ZIP_STORED:
            yield packed
            continue
        while packed:
            yield unpacker.decompress(packed, _ARCHIVE_PIECE)
            packed = unpacker.unconsumed_tail
            if unpacker.eof and (packed or unpacker.unused_data or remaining):
                raise FileRefused("archive_unsafe")  # a second stream follows the first
    if entry.compress_type == zipfile.ZIP_DEFLATED and not unpacker.eof:
        yield from _flushed(unpacker)


def _flushed(unpacker: "zlib._Decompress") -> Iterator[bytes]:
    """Yields the output that the decompressor still holds after its last input."""
    while piece := unpacker.decompress(b"", _ARCHIVE_PIECE):
        yield piece


def _encoded(entry: zipfile.ZipInfo) -> bytes:
    return entry.orig_filename.encode("utf-8" if entry.flag_bits & 0x800 else "cp437")


def _decoded(xml: bytes) -> str:
    """Returns the text of an XML part with its character references resolved."""
    encoding = "utf-16" if xml.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8"
    return unescape(xml.decode(encoding, "replace").replace("\0", ""))


PICTURES = frozenset({"png", "jpg", "jpeg", "webp"})
_MARKUP = ("<!doctype", "<html", "<svg", "<?xml", "<script", "<head", "<body")
_MAX_MARKUP_LENGTH = max(map(len, _MARKUP))
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f]")
_MAX_PICTURE_SECONDS = 12  # for a picture: a browser waits for 20 s, and the process ends itself after 8 s of CPU time
_BROKEN = "file_broken"
_TOO_LARGE = "picture_too_large"
_NO_ROOM = "no_room"
_PIECE = 64 * 1024  # characters


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
    command = [sys.executable, "-m", "site_app.provider.leads.image_process", str(file.absolute()), kind]
    try:
        process = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=_MAX_PICTURE_SECONDS, check=False)  # noqa: S603
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
                if len(beginning) < _MAX_MARKUP_LENGTH:
                    beginning = (beginning + piece).lstrip()[:_MAX_MARKUP_LENGTH]
    except UnicodeDecodeError:
        raise FileRefused("file_misnamed") from None
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
