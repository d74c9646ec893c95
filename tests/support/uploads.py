"""Files of every format that the upload of files takes or refuses, and their upload."""

import io
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import httpx
from PIL import Image

from site_app.core.settings import Settings
from site_app.provider.leads.image_process import MAX_PIXELS

PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 20), mode: str = "RGB") -> bytes:
    buffer = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "secret place"
    exif[0x0112] = 6  # rotated by 90 degrees
    Image.new(mode, size).save(buffer, kind, exif=exif)
    return buffer.getvalue()


def rotated() -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "canary of the place"
    return exif


_SIDE = int(MAX_PIXELS**0.5)
# Accepted pictures, each at its limit of memory or work.
COSTLY: dict[str, Callable[[Path], None]] = {
    "interlaced.png": lambda file: Image.new("RGB", (_SIDE, _SIDE), "red").save(file, interlace=True, compress_level=1),
    "turned.jpg": lambda file: Image.new("RGB", (3600, 3600)).save(file, exif=rotated()),
    "in passes.jpg": lambda file: Image.new("RGB", (3200, 3200)).save(file, progressive=True, subsampling=0),
    "lossless.webp": lambda file: Image.new("RGBA", (2530, 2530), (1, 2, 3, 4)).save(file, lossless=True, method=0),
}

OLE = bytes.fromhex("d0cf11e0a1b11ae1") + b"x" * 500
OLE_WITH_MACROS = OLE + "_VBA_PROJECT".encode("utf-16-le")


def archive(entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, *, mode: int = 0o600) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as zip_file:
        for name, content in entries.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr, entry.compress_type = mode << 16, method
            zip_file.writestr(entry, content)
    return buffer.getvalue()


def with_false_size(packed: bytes, size: int, declared: int) -> bytes:
    """Returns the same archive with another declared size of its entry, and the checksum of that many bytes."""
    for old, new in ((size, declared), (zlib.crc32(bytes(size)), zlib.crc32(bytes(declared)))):
        packed = packed.replace(old.to_bytes(4, "little"), new.to_bytes(4, "little"))
    return packed


def office_file(part: str, *, types: bytes = b"<Types/>", **entries: bytes) -> bytes:
    return archive({"[Content_Types].xml": types, "_rels/.rels": b"<Relationships/>", part: b"<x/>", **entries})


async def send(client: httpx.AsyncClient, name: str, content: bytes) -> httpx.Response:
    return await client.post("/v1.0/attachments", files={"file": (name, content)})


def files(settings: Settings) -> list[Path]:
    folder = settings.var / "attachments"
    return sorted(folder.iterdir()) if folder.exists() else []
