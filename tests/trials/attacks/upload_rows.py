"""A running site with 300 MB uploads and aborted ones; tests cover the refused file types.

Also the costliest pictures within the limits, all at once, with text files beside them.
"""

import asyncio
import os
import time
from contextlib import suppress
from pathlib import Path

import httpx
from PIL import Image

from tests.support.site_server import Site
from tests.support.uploads import COSTLY
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, count, memory_mb, tracebacks, until, workers

_MAX_MB = 50
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
        upload.is_success and status == 413 and grown <= _MAX_MB and strays == 0 and tracebacks(site) == 0,
        f"300 MB: {status}, memory {grown:+.0f} MB; after {aborts} aborts {strays} files left over",
    )


async def _send_large(port: int, megabytes: int) -> int:
    """Returns the status for a body without a declared length, however early; 0 if there is none."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    status_line = asyncio.create_task(reader.readline())
    writer.write(f"{_HEAD}Transfer-Encoding: chunked\r\n\r\n".encode())
    with suppress(ConnectionError):
        for chunk in (_FILE_HEAD, *[b"x" * 2**20] * megabytes, b"\r\n--b--\r\n", b""):
            writer.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
            await writer.drain()
    with suppress(ConnectionError):
        await status_line
    writer.close()
    return 0 if status_line.exception() or not status_line.result() else int(status_line.result().split()[1])


async def _abort(port: int) -> None:
    """Begins an upload and disconnects in the middle of it."""
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    body = _FILE_HEAD + b"x" * 20_000
    writer.write(f"{_HEAD}Content-Length: {len(body) + 50_000}\r\n\r\n".encode() + body)
    await writer.drain()
    await asyncio.sleep(0.2)
    writer.transport.abort()


_MAX_PICTURES_MB, _MAX_TEXT_SECONDS = 150, 1.0


def _worst(folder: Path) -> dict[str, bytes]:
    """Returns one picture of each kind at its limit of memory or work, and some beyond."""
    beyond = {
        "bomb.png": lambda file: Image.new("1", (20_000, 20_000)).save(file),
        "huge.webp": lambda file: Image.new("RGB", (6300, 6300)).save(file, lossless=True),
    }
    for name, save in (COSTLY | beyond).items():
        save(folder / name)
    return {file.name: file.read_bytes() for file in map(folder.joinpath, COSTLY | beyond)}


async def pictures(trial: Trial) -> Verdict:
    site = trial.site()
    worst = await asyncio.to_thread(_worst, trial.folder)
    names = [*worst] * (30 // len(worst) + 1)
    async with trial.client(site, timeout=60) as client:
        await _send(client, "a.png", worst["lossless.webp"])  # the first one starts processes that stay
        pids, over = {site.pid, *workers(site)}, asyncio.Event()
        initial_mb = _memory(pids, site)
        memory = asyncio.create_task(asyncio.to_thread(_most_memory, pids, site, over))
        sent = [asyncio.create_task(_send(client, name, worst[name])) for name in names[:30]]
        texts = []
        while not all(task.done() for task in sent) or len(texts) < 10:
            texts.append(await _send(client, "a.txt", b"Plain words.\n" * 50_000))
            await asyncio.sleep(0.1)
        results = [await task for task in sent]
        over.set()
        grown = await memory - initial_mb
    statuses = {status: sum(task == status for task, _ in results) for status in sorted({task for task, _ in results})}
    slowest = max(seconds for _, seconds in texts)
    refused = sum(status != 201 for status, _ in texts)
    parts = count(site.var / "attachments", "*.unfinished")
    met = (
        grown <= _MAX_PICTURES_MB
        and slowest <= _MAX_TEXT_SECONDS
        and not refused
        and {201, 413} <= statuses.keys() <= {201, 413, 415, 503}
    )
    return Verdict(
        met and parts == 0 and tracebacks(site) == 0,
        f"30 pictures at once: {statuses}, the last after {max(seconds for _, seconds in results):.1f} s; memory of all processes "
        f"{grown:+.0f} MB at most; {len(texts)} text files meanwhile, {refused} refused, the slowest {slowest:.2f} s; {parts} parts left",
    )


async def _send(client: httpx.AsyncClient, name: str, content: bytes) -> tuple[int, float]:
    began = time.monotonic()
    response = await client.post("/v1.0/attachments", files={"file": (name, content)})
    return response.status_code, time.monotonic() - began


def _most_memory(pids: set[int], site: Site, over: asyncio.Event) -> float:
    peak = 0.0
    while not over.is_set():
        peak = max(peak, _memory(pids, site))
        time.sleep(0.02)
    return peak


def _memory(pids: set[int], site: Site) -> float:
    """Megabytes of the processes that were there before and of those that look at pictures, which come and go.

    One that has just been made is left out until it runs its own program: it still has its parent's memory, which would count twice.
    """
    pages = 0
    for pid in {site.pid, *workers(site)}:
        process = Path(f"/proc/{pid}")
        with suppress(OSError):
            if pid in pids or b"site_app.provider.leads.image_process" in (process / "cmdline").read_bytes():
                pages += int((process / "statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
