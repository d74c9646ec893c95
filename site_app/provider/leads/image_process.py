"""Writes one picture anew, in a process with bounds: `python -m site_app.provider.leads.image_process <file> <png|jpg|webp>`.

It prints nothing when the file has become the same picture, of whose metadata only the side that is up is left, else the name of what is wrong with it.
It imports nothing of the site: so it starts in 40 ms and needs 13 MB before the picture.
"""

import errno
import os
import re
import resource
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from PIL import Image, JpegImagePlugin, PngImagePlugin

MOST_PIXELS = 25_000_000  # what the larger phones take; a PNG or plain JPEG of it needs 100 MB
MOST_MEMORY = 110_000_000  # bytes for one picture, estimated from its header before anything is decoded
LARGEST_RESULT = 10 * 1024 * 1024  # bytes; a file that may be sent is no larger
MOST_SCANS = 30  # of a JPEG; encoders write ten, a few of them twenty, and each one goes over the whole picture
MOST_SEGMENTS = 10_000  # of a file; Pillow reads each in Python
LONGEST_CPU_SECONDS = 8  # the slowest pictures that are let in take two
_ADDRESS_SPACE = 256 * 2**20  # bytes; what a header hides from the estimate ends here
_LONGEST_TEXT = 2**20  # bytes of a PNG's comments, unpacked
_FORMATS = {"png": "PNG", "jpg": "JPEG", "webp": "WEBP"}
_ORIENTATION = 0x0112
_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]", re.DOTALL)  # what follows 0xff inside a scan is 0, or restarts it
_SCAN, _END = 0xDA, 0xD9
_WITHOUT_LENGTH = (0x01, 0xD8)
# bytes a pixel: libwebp's animation decoder holds two canvases, and Pillow a copy of their bytes and the picture
_WEBP_COST = 17


def main() -> None:
    file, kind = sys.argv[1:]
    _bound_this_process()
    try:
        problem = rewrite(Path(file), kind)
    except MemoryError:
        problem = "picture_too_large"
    sys.stdout.write(problem)


def rewrite(file: Path, kind: str) -> str:
    """Write the picture anew in its place, of an animation the first frame; returns what is wrong, or nothing."""
    if _is_in_too_many_pieces(file, kind):
        return "picture_in_pieces"
    if kind == "webp" and _webp_pixels(file) * _WEBP_COST > MOST_MEMORY:
        return "picture_too_large"  # Pillow makes room for its canvases as it opens the file
    try:
        with Image.open(file, formats=[_FORMATS[kind]]) as image:
            pixels = image.width * image.height
            if pixels > MOST_PIXELS or pixels * _cost(image) > MOST_MEMORY:
                return "picture_too_large"
            tries = [*_ways_to_write(image)]  # a JPEG's tables are forgotten once it is turned
            image.load()
            image._decoder = None  # of WebP: its canvases are twice as large as the picture  # pyright: ignore
            orientation = image.getexif().get(_ORIENTATION, 1)
            image.info = {name: value for name, value in image.info.items() if name == "transparency"}
            return _write(image, file, tries, orientation)
    except OSError as error:
        return "no_room" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "file_broken"
    except Image.DecompressionBombError:
        return "picture_too_large"
    except (SyntaxError, ValueError):
        return "file_broken"


def _is_in_too_many_pieces(file: Path, kind: str) -> bool:
    content = file.read_bytes()
    if kind == "jpg":
        markers = list(islice(_jpeg_markers(content), MOST_SEGMENTS + 1))
        return len(markers) > MOST_SEGMENTS or markers.count(_SCAN) > MOST_SCANS
    return kind == "png" and sum(1 for _ in islice(_png_chunks(content), MOST_SEGMENTS + 1)) > MOST_SEGMENTS


def _jpeg_markers(content: bytes) -> Iterator[int]:
    """Yield each marker of a JPEG up to the end of its first picture; what is no JPEG ends early, or has some that mean nothing."""
    position = 0
    while match := _MARKER.search(content, position):
        marker, position = content[match.end() - 1], match.end()
        yield marker
        if marker == _END:
            return
        if marker not in _WITHOUT_LENGTH:
            position += max(2, int.from_bytes(content[position : position + 2], "big"))


def _png_chunks(content: bytes) -> Iterator[int]:
    """Yield where each chunk of a PNG begins, up to the one that ends it."""
    position = 8
    while position < len(content) and content[position + 4 : position + 8] != b"IEND":
        yield position
        position += 12 + int.from_bytes(content[position : position + 4], "big")


def _webp_pixels(file: Path) -> int:
    """Width times height, as the first chunk of the three kinds there are says it."""
    with file.open("rb") as stream:
        head = stream.read(30).ljust(30, b"\0")
    if head[12:16] == b"VP8X":
        return (int.from_bytes(head[24:27], "little") + 1) * (int.from_bytes(head[27:30], "little") + 1)
    if head[12:16] == b"VP8L":
        bits = int.from_bytes(head[21:25], "little")
        return ((bits & 0x3FFF) + 1) * ((bits >> 14 & 0x3FFF) + 1)
    return (int.from_bytes(head[26:28], "little") & 0x3FFF) * (int.from_bytes(head[28:30], "little") & 0x3FFF)


def _cost(image: Image.Image) -> float:
    """Bytes that decoding takes for each pixel: four of the picture itself, and what its format holds beside it."""
    if image.format == "WEBP":
        return _WEBP_COST
    if not isinstance(image, JpegImagePlugin.JpegImageFile) or "progressive" not in image.info:
        return 4
    # A progressive JPEG comes in passes: all its coefficients are held until the last one.
    shares = [horizontal * vertical for _, horizontal, vertical, _ in image.layer]
    return 4 + 2 * sum(shares) / max(shares)


def _ways_to_write(image: Image.Image) -> Iterator[dict[str, Any]]:
    """Options to save it with, the best first; the next is for a result that has grown too large."""
    if isinstance(image, JpegImagePlugin.JpegImageFile):
        yield {"qtables": image.quantization, "subsampling": JpegImagePlugin.get_sampling(image)}  # as fine as it came
        yield from ({"quality": quality} for quality in (80, 60))
    elif image.format == "WEBP":
        yield from ({"quality": quality, "method": 2} for quality in (90, 75, 50))  # method 4 takes half as much memory again
    else:
        yield from ({}, {"compress_level": 9})


def _write(picture: Image.Image, file: Path, tries: list[dict[str, Any]], orientation: int) -> str:
    exif = Image.Exif()
    exif[_ORIENTATION] = orientation
    fixed = {"exif": exif} if orientation in range(2, 9) else {}
    for options in tries:
        try:
            picture.save(file, format=picture.format if picture.format != "MPO" else "JPEG", **options, **fixed)
        except OSError as error:
            if error.errno != errno.EFBIG:
                raise
        else:
            if file.stat().st_size <= LARGEST_RESULT:
                return ""
    return "picture_too_large"


def _bound_this_process() -> None:
    """Bounds on memory, time and what is written; where the service manager forbids them, the parent's time limit is left."""
    PngImagePlugin.MAX_TEXT_CHUNK = PngImagePlugin.MAX_TEXT_MEMORY = _LONGEST_TEXT
    bounds = {
        resource.RLIMIT_AS: _ADDRESS_SPACE,
        resource.RLIMIT_CPU: LONGEST_CPU_SECONDS,
        resource.RLIMIT_FSIZE: LARGEST_RESULT,
        resource.RLIMIT_CORE: 0,
    }
    for resource_name, limit in bounds.items():
        with suppress(ValueError, OSError):
            resource.setrlimit(resource_name, (limit, limit))
    with suppress(OSError):
        os.nice(5)  # pages and leads come first


if __name__ == "__main__":
    main()
