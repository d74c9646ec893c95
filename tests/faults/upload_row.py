"""Row 14: the limits of uploads hold, what they are is looked at, and a broken one leaves nothing."""

import asyncio
import io
import os
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path
from struct import pack

from site_app.contracts.attachment import LARGEST
from tests.builders import quote
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial, count, memory_mb, tracebacks, until

_TEXT = b"Plain words.\n"
_FILE_HEAD = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'


def _zip_bomb() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(20):
            archive.writestr(f"{number}.txt", b"\0" * 20_000_000)
    return buffer.getvalue()


def _picture_bomb() -> bytes:
    """A PNG that says it is 50,000 × 50,000 pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))

    head = pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 1_000_000)) + chunk(b"IEND", b"")


def _wrong() -> dict[str, tuple[str, bytes]]:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    page = b"<!doctype html><script>alert(1)</script>"
    return {
        "one byte too large": ("a.txt", b"x" * (LARGEST + 1)),
        "empty": ("a.txt", b""),
        "SVG": ("a.svg", svg),
        "SVG as PNG": ("a.png", svg),
        "HTML": ("a.html", page),
        "HTML as PDF": ("a.pdf", page),
        "program as PDF": ("a.pdf", b"MZ" + os.urandom(400)),
        "PDF as PNG": ("a.png", b"%PDF-1.7\n%%EOF"),
        "ELF as text": ("a.txt", b"\x7fELF" + os.urandom(400)),
        "zip bomb": ("a.docx", _zip_bomb()),
        "picture bomb": ("a.png", _picture_bomb()),
        "no ending": ("a", _TEXT),
        "hidden ending": ("a.txt\u202efdp.exe", _TEXT),
        "path": ("../../etc/cron.d/a", _TEXT),
    }


async def uploads(trial: Trial) -> Verdict:
    site = trial.site()
    aborts = 50 if trial.short else 200
    kept = site.var / "attachments"
    async with trial.client(site) as client:
        good = [await client.post("/v1.0/attachments", files={"file": (f"{n}.txt", _TEXT)}) for n in range(6)]
        wrong = {
            name: (await client.post("/v1.0/attachments", files={"file": file})).status_code for name, file in _wrong().items()
        }
        ids = [answer.json()["id"] for answer in good]
        wrong["six files"] = (await client.post("/v1.0/requestQuote", json=quote(attachments=ids))).status_code
        wrong["unknown file"] = (await client.post("/v1.0/requestQuote", json=quote(attachments=["x" * 22]))).status_code
        before = memory_mb(site)
        large = await _send_large(site.port, 300)
        grown = memory_mb(site) - before
        await asyncio.gather(*(_abort(site.port) for _ in range(aborts)))
        strays = await _strays(kept, len(good))
    broken = {name: status for name, status in wrong.items() if not 400 <= status < 500}
    met = not broken and large == 413 and grown <= 50 and strays == 0 and tracebacks(site) == 0
    return Verdict(
        met and all(answer.is_success for answer in good),
        f"{len(wrong)} wrong uploads, {len(broken)} not refused with 4xx {broken or ''}; 300 MB: {large}, "
        f"memory {grown:+.0f} MB; after {aborts} aborts {strays} files left over",
    )


async def _send_large(port: int, megabytes: int) -> int:
    """The status that answers a body without a declared length, however soon it comes; 0 if none does."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = (
        "POST /v1.0/attachments HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: website\r\n"
        "Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    answer = asyncio.create_task(reader.readline())
    writer.write(head.encode())
    chunks = [_FILE_HEAD, *[b"x" * 2**20] * megabytes, b"\r\n--b--\r\n", b""]
    with suppress(ConnectionError):
        for chunk in chunks:
            writer.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
            await writer.drain()
    try:
        line = await answer
    except ConnectionError:
        line = b""
    writer.close()
    return int(line.split()[1]) if line else 0


async def _abort(port: int) -> None:
    """Begin an upload and hang up in the middle of it."""
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    body = _FILE_HEAD + b"x" * 20_000
    head = (
        "POST /v1.0/attachments HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: website\r\n"
        f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {len(body) + 50_000}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    await writer.drain()
    await asyncio.sleep(0.2)
    writer.transport.abort()


async def _strays(kept: Path, wanted: int) -> int:
    """Files beyond those wanted, as soon as the last hang-up has been noticed; after ten seconds they count."""

    async def none() -> bool:
        return count(kept) == wanted

    with suppress(TimeoutError):
        await until(none, seconds=10)
    return count(kept) - wanted
