"""Checks ZIP archives and Office files: refuses those that unpack to more than they declare or outside their folder, or have macros."""

import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from html import unescape
from io import BufferedReader, FileIO
from pathlib import Path

from site_app.provider.http.refusals import FileRefused

MAX_ENTRIES = 5_000
MAX_UNPACKED_BYTES = 200 * 1024 * 1024
MAX_RATIO = 100
OFFICE = {"docx": "word/document.xml", "xlsx": "xl/workbook.xml", "pptx": "ppt/presentation.xml"}
_MAX_LIST_BYTES = 1024 * 1024  # 5,000 entries with names of 150 characters
_PIECE_BYTES = 64 * 1024
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
    flags = _read_local_header(stream, entry)
    if (flags | entry.flag_bits) & _ENCRYPTED:
        if is_package:  # Office programs do not open a package with encrypted entries
            raise FileRefused("file_broken")
        return
    macro_search = _MacroSearch(entry) if is_package else None
    size = 0
    for piece in _unpacked(stream, entry):
        size += len(piece)
        if size > entry.file_size:
            raise FileRefused("archive_unsafe")
        if macro_search:
            macro_search.feed(piece)
    if size != entry.file_size:
        raise FileRefused("archive_unsafe")
    if macro_search:
        macro_search.close()


def _read_local_header(stream: BufferedReader, entry: zipfile.ZipInfo) -> int:
    """Reads the header before the entry's content, and returns its flags. Raises FileRefused if it contradicts the archive's list."""
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
    stream.seek(extra_length, os.SEEK_CUR)
    return flags


class _MacroSearch:
    """Searches an entry of an Office file for macros. Raises FileRefused when it finds any."""

    def __init__(self, entry: zipfile.ZipInfo) -> None:
        self._is_macro_part = Path(entry.filename).name.lower() == "vbaproject.bin"
        self._is_list = entry.filename == _CONTENT_TYPES or entry.filename.endswith(".rels")
        self._list = bytearray()
        self._tail = b""

    def feed(self, piece: bytes) -> None:
        """Searches the next piece of the entry's content."""
        if self._is_list and len(self._list) + len(piece) > _MAX_TYPES_BYTES:
            raise FileRefused("archive_unsafe")
        if _VBA_STREAM in self._tail + piece:
            raise FileRefused("file_has_macros")
        self._tail = piece[-len(_VBA_STREAM) :]
        if self._is_list:
            self._list += piece

    def close(self) -> None:
        """Judges the whole entry by its name and by the types that it lists."""
        if self._is_macro_part or _MACRO_TYPES.search(_decoded(bytes(self._list))):
            raise FileRefused("file_has_macros")


def _unpacked(stream: BufferedReader, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yields the entry's content in pieces. Refuses rare compression methods, because their unpacked size cannot be checked."""
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise FileRefused("archive_unsafe")
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    remaining = entry.compress_size
    while remaining:
        packed = stream.read(min(remaining, _PIECE_BYTES))
        if not packed:
            raise EOFError
        remaining -= len(packed)
        if entry.compress_type == zipfile.ZIP_STORED:
            yield packed
            continue
        while packed:
            yield unpacker.decompress(packed, _PIECE_BYTES)
            packed = unpacker.unconsumed_tail
            if unpacker.eof and (packed or unpacker.unused_data or remaining):
                raise FileRefused("archive_unsafe")  # a second stream follows the first
    if entry.compress_type == zipfile.ZIP_DEFLATED and not unpacker.eof:
        yield from _flushed(unpacker)


def _flushed(unpacker: "zlib._Decompress") -> Iterator[bytes]:
    """Yields the output that the decompressor still holds after its last input."""
    while piece := unpacker.decompress(b"", _PIECE_BYTES):
        yield piece


def _encoded(entry: zipfile.ZipInfo) -> bytes:
    return entry.orig_filename.encode("utf-8" if entry.flag_bits & 0x800 else "cp437")


def _decoded(xml: bytes) -> str:
    """Returns the text of an XML part with its character references resolved."""
    encoding = "utf-16" if xml.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8"
    return unescape(xml.decode(encoding, "replace").replace("\0", ""))
