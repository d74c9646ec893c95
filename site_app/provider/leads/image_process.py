"""Rewrites one picture in a process with resource limits: `python -m site_app.provider.leads.image_process <file> <png|jpg|webp>`.

Prints nothing if the picture was rewritten, with no metadata left except the orientation; otherwise prints the name of the problem.
Of the site it imports only `process_limits`, so that it starts in 40 ms and needs 13 MB besides the picture.
"""

import errno
import io
import re
import resource
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from PIL import Image, JpegImagePlugin, PngImagePlugin

from site_app.core.process_limits import limit_this_process

MAX_PIXELS = 25_000_000  # the resolution of large phone cameras; a PNG or plain JPEG of this size needs 100 MB
MAX_MEMORY_BYTES = 110_000_000  # for one picture, estimated from its header before anything is decoded
MAX_RESULT_BYTES = 10 * 1024 * 1024  # the limit for uploads
MAX_SCANS = 30  # of a JPEG; encoders write ten, a few write twenty, and each scan goes over the whole picture
MAX_SEGMENTS = 10_000  # of a file; Pillow reads each segment in Python
MAX_CPU_SECONDS = 8  # the slowest accepted pictures take two
_ADDRESS_SPACE = 256 * 2**20  # bytes; stops a picture whose header made the estimate too low
_MAX_TEXT_BYTES = 2**20  # of a PNG's unpacked comments
_FORMATS = {"png": "PNG", "jpg": "JPEG", "webp": "WEBP"}
_ORIENTATION = 0x0112
_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]", re.DOTALL)  # inside a scan, 0xff is followed by 0 or a restart marker
_SCAN = 0xDA
_END = 0xD9
_WITHOUT_LENGTH = (0x01, 0xD8)
# Bytes per pixel: libwebp's animation decoder holds two canvases, and Pillow holds a copy of their bytes and the picture.
_WEBP_COST = 17


def main() -> None:
    file, kind = sys.argv[1:]
    _set_limits()
    try:
        problem = rewrite(Path(file), kind)
    except MemoryError:
        problem = "picture_too_large"
    sys.stdout.write(problem)


def rewrite(file: Path, kind: str) -> str:
    """Rewrites the picture in place, of an animation the first frame. Returns the name of the problem, or ""."""
    if _is_in_too_many_pieces(file, kind):
        return "picture_in_pieces"
    if kind == "webp" and _webp_pixels(file) * _WEBP_COST > MAX_MEMORY_BYTES:
        return "picture_too_large"  # checked before opening, because Pillow allocates the canvases when it opens the file
    try:
        with Image.open(file, formats=[_FORMATS[kind]]) as image:
            pixels = image.width * image.height
            if pixels > MAX_PIXELS or pixels * _cost(image) > MAX_MEMORY_BYTES:
                return "picture_too_large"
            tries = [*_ways_to_write(image)]  # read now, because Pillow drops a JPEG's tables when it rotates the image
            image.load()
            image._decoder = None  # frees WebP's canvases, which are twice as large as the picture  # pyright: ignore
            orientation = image.getexif().get(_ORIENTATION, 1)
            _convert_to_srgb(image)
            image.info = {name: value for name, value in image.info.items() if name == "transparency"}
            return _write(image, file, tries, orientation)
    except OSError as error:
        return "no_room" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "file_broken"
    except Image.DecompressionBombError:
        return "picture_too_large"
    except (SyntaxError, ValueError):
        return "file_broken"


def _convert_to_srgb(image: Image.Image) -> None:
    """Converts the colours of a profile in place: the profile is left out, and without it those of a phone would be pale.

    The pixels stay as they are if the profile is broken, if one colour means transparency, or if the picture would be needed twice in
    memory, as one for print.
    """
    profile = image.info.get("icc_profile")
    if not profile or "transparency" in image.info or image.mode not in ("RGB", "RGBA"):
        return
    from PIL import ImageCms  # takes time that pictures without a profile need not wait

    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), inPlace=True)
    except (ImageCms.PyCMSError, OSError):
        pass


def _is_in_too_many_pieces(file: Path, kind: str) -> bool:
    content = file.read_bytes()
    if kind == "jpg":
        markers = list(islice(_jpeg_markers(content), MAX_SEGMENTS + 1))
        return len(markers) > MAX_SEGMENTS or markers.count(_SCAN) > MAX_SCANS
    return kind == "png" and sum(1 for _ in islice(_png_chunks(content), MAX_SEGMENTS + 1)) > MAX_SEGMENTS


def _jpeg_markers(content: bytes) -> Iterator[int]:
    """Yields each marker of a JPEG up to the end of its first picture. Other content ends early or yields meaningless markers."""
    position = 0
    while match := _MARKER.search(content, position):
        marker = content[match.end() - 1]
        position = match.end()
        yield marker
        if marker == _END:
            return
        if marker not in _WITHOUT_LENGTH:
            position += max(2, int.from_bytes(content[position : position + 2], "big"))


def _png_chunks(content: bytes) -> Iterator[int]:
    """Yields the position of each chunk of a PNG, up to the end chunk."""
    position = 8
    while position < len(content) and content[position + 4 : position + 8] != b"IEND":
        yield position
        position += 12 + int.from_bytes(content[position : position + 4], "big")


def _webp_pixels(file: Path) -> int:
    """Returns width times height from the first chunk, which has one of three formats."""
    with file.open("rb") as stream:
        head = stream.read(30).ljust(30, b"\0")
    if head[12:16] == b"VP8X":
        return (int.from_bytes(head[24:27], "little") + 1) * (int.from_bytes(head[27:30], "little") + 1)
    if head[12:16] == b"VP8L":
        bits = int.from_bytes(head[21:25], "little")
        return ((bits & 0x3FFF) + 1) * ((bits >> 14 & 0x3FFF) + 1)
    return (int.from_bytes(head[26:28], "little") & 0x3FFF) * (int.from_bytes(head[28:30], "little") & 0x3FFF)


def _cost(image: Image.Image) -> float:
    """Returns the bytes per pixel that decoding needs: four for the picture itself, and the buffers of its format."""
    if image.format == "WEBP":
        return _WEBP_COST
    if not isinstance(image, JpegImagePlugin.JpegImageFile) or "progressive" not in image.info:
        return 4
    # A progressive JPEG is decoded in passes: all its coefficients are held until the last pass.
    shares = [horizontal * vertical for _, horizontal, vertical, _ in image.layer]
    return 4 + 2 * sum(shares) / max(shares)


def _ways_to_write(image: Image.Image) -> Iterator[dict[str, Any]]:
    """Yields options for saving, best quality first; each next one is tried if the result is too large."""
    if isinstance(image, JpegImagePlugin.JpegImageFile):
        yield {"qtables": image.quantization, "subsampling": JpegImagePlugin.get_sampling(image)}  # the quality of the original
        yield from ({"quality": quality} for quality in (80, 60))
    elif image.format == "WEBP":
        yield from ({"quality": quality, "method": 2} for quality in (90, 75, 50))  # method 4 needs 50 % more memory
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
            if file.stat().st_size <= MAX_RESULT_BYTES:
                return ""
    return "picture_too_large"


def _set_limits() -> None:
    """Limits memory, CPU time, file size and priority, and the comments that Pillow unpacks."""
    PngImagePlugin.MAX_TEXT_CHUNK = PngImagePlugin.MAX_TEXT_MEMORY = _MAX_TEXT_BYTES
    limits = {
        resource.RLIMIT_AS: _ADDRESS_SPACE,
        resource.RLIMIT_CPU: MAX_CPU_SECONDS,
        resource.RLIMIT_FSIZE: MAX_RESULT_BYTES,
        resource.RLIMIT_CORE: 0,
    }
    limit_this_process(limits, niceness=5)  # pages and leads have priority


if __name__ == "__main__":
    main()
