"""Row 14: a running site with 300 MB uploads and aborted ones; tests cover the refused file types."""

import asyncio
from contextlib import suppress

from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, count, memory_mb, tracebacks, until

_MOST_MB = 50
_HEAD = "POST /v1.0/attachments HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: website\r\nContent-Type: multipart/form-data; boundary=b\r\n"
_FILE_HEAD = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'


async def uploads(trial: Trial) -> Verdict:
    site = trial.site()
    aborts = 50 if trial.short else 200
    folder = site.var / "attachments"

    async def is_empty() -> bool:
        return count(folder) == 0

    async with trial.client(site) as client:
        upload = await client.post("/v1.0/attachments", files={"file": ("a.txt", b"Plain words.\n")})
        await client.delete(f"/v1.0/attachments/{upload.json()['id']}")
    initial_mb = memory_mb(site)
    status = await _send_large(site.port, 300)
    grown = memory_mb(site) - initial_mb
    await asyncio.gather(*(_abort(site.port) for _ in range(aborts)))
    with suppress(TimeoutError):
        await until(is_empty, seconds=10)  # until the last disconnect is noticed
    strays = count(folder)
    return Verdict(
        upload.is_success and status == 413 and grown <= _MOST_MB and strays == 0 and tracebacks(site) == 0,
        f"300 MB: {status}, memory {grown:+.0f} MB; after {aborts} aborts {strays} files left over",
    )


async def _send_large(port: int, megabytes: int) -> int:
    """Return the status for a body without a declared length, however early; 0 if there is none."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = asyncio.create_task(reader.readline())
    writer.write(f"{_HEAD}Transfer-Encoding: chunked\r\n\r\n".encode())
    with suppress(ConnectionError):
        for chunk in (_FILE_HEAD, *[b"x" * 2**20] * megabytes, b"\r\n--b--\r\n", b""):
            writer.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
            await writer.drain()
    with suppress(ConnectionError):
        await answer
    writer.close()
    return 0 if answer.exception() or not answer.result() else int(answer.result().split()[1])


async def _abort(port: int) -> None:
    """Begin an upload and disconnect in the middle of it."""
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    body = _FILE_HEAD + b"x" * 20_000
    writer.write(f"{_HEAD}Content-Length: {len(body) + 50_000}\r\n\r\n".encode() + body)
    await writer.drain()
    await asyncio.sleep(0.2)
    writer.transport.abort()
