"""Row 26: the worst pictures that the limits let in, all at once, with text files beside them."""

import asyncio
import io
import os
import random
import time
from contextlib import suppress
from pathlib import Path

import httpx
from PIL import Image

from site_app.services.image_process import MOST_PIXELS
from tests.browser.server import Site
from tests.lab.scorecard import Verdict
from tests.lab.trial import Trial, count, tracebacks, workers

_MOST_MB, _LONGEST_TEXT = 150, 1.0
_SIDE = int(MOST_PIXELS**0.5)
_TURNED = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"  # orientation 6: on its side


def _worst() -> dict[str, bytes]:
    """One of each kind at the limit of its memory, of its work, and some beyond."""
    noise = Image.frombytes("RGB", (2500, 2500), random.Random(1).randbytes(3 * 2500**2))
    made = {
        "see-through.png": (Image.new("RGBA", (_SIDE, _SIDE), (1, 2, 3, 4)), {}),
        "gradient.png": (Image.linear_gradient("L").resize((_SIDE, _SIDE)).convert("RGB"), {}),
        "plain.jpg": (Image.new("RGB", (_SIDE, _SIDE)), {"exif": _TURNED}),
        "turned.jpg": (Image.new("RGB", (3600, 3600)), {"exif": _TURNED}),
        "passes.jpg": (noise.resize((3200, 3200)), {"progressive": True, "subsampling": 0, "quality": 40}),
        "noise.webp": (noise, {"quality": 40, "method": 0}),
        "lossless.webp": (Image.new("RGBA", (2530, 2530), (1, 2, 3, 4)), {"lossless": True}),
        "huge.webp": (Image.new("RGB", (6300, 6300)), {"quality": 1, "method": 0}),
        "bomb.png": (Image.new("1", (16_000, 16_000)), {}),
    }
    return {name: _saved(picture, name, options) for name, (picture, options) in made.items()}


def _saved(picture: Image.Image, name: str, options: dict[str, object]) -> bytes:
    kind = {"png": "PNG", "jpg": "JPEG", "webp": "WEBP"}[name.rpartition(".")[2]]
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


async def pictures(trial: Trial) -> Verdict:
    site = trial.site()
    worst = await asyncio.to_thread(_worst)
    names = [*worst] * (30 // len(worst) + 1)
    async with trial.client(site, timeout=60) as client:
        await _send(client, "a.png", worst["lossless.webp"])  # the first of all starts what stays
        known, over = {site.pid, *workers(site)}, asyncio.Event()
        before = _memory(known, site)
        memory = asyncio.create_task(asyncio.to_thread(_most_memory, known, site, over))
        sent = [asyncio.create_task(_send(client, name, worst[name])) for name in names[:30]]
        texts = []
        while not all(one.done() for one in sent) or len(texts) < 10:
            texts.append(await _send(client, "a.txt", b"Plain words.\n" * 50_000))
            await asyncio.sleep(0.1)
        answers = [await one for one in sent]
        over.set()
        grown = await memory - before
    statuses = {status: sum(one == status for one, _ in answers) for status in sorted({one for one, _ in answers})}
    slowest = max(seconds for _, seconds in texts)
    refused = sum(status != 201 for status, _ in texts)
    parts = count(site.var / "attachments", "*.part")
    met = grown <= _MOST_MB and slowest <= _LONGEST_TEXT and not refused and statuses.keys() <= {201, 413, 415, 503}
    return Verdict(
        met and statuses.get(201, 0) > 0 and parts == 0 and tracebacks(site) == 0,
        f"30 pictures at once: {statuses}, the last after {max(seconds for _, seconds in answers):.1f} s; memory of all processes "
        f"{grown:+.0f} MB at most; {len(texts)} text files meanwhile, {refused} refused, the slowest {slowest:.2f} s; {parts} parts left",
    )


async def _send(client: httpx.AsyncClient, name: str, content: bytes) -> tuple[int, float]:
    began = time.monotonic()
    answer = await client.post("/v1.0/attachments", files={"file": (name, content)})
    return answer.status_code, time.monotonic() - began


def _most_memory(known: set[int], site: Site, over: asyncio.Event) -> float:
    most = 0.0
    while not over.is_set():
        most = max(most, _memory(known, site))
        time.sleep(0.02)
    return most


def _memory(known: set[int], site: Site) -> float:
    """Megabytes of the processes that were there before and of those that look at pictures, which come and go.

    One that has just been made is left out until it runs its own program: it still has its parent's memory, which would count twice.
    """
    pages = 0
    for pid in {site.pid, *workers(site)}:
        process = Path(f"/proc/{pid}")
        with suppress(OSError):
            if pid in known or b"site_app.services.image_process" in (process / "cmdline").read_bytes():
                pages += int((process / "statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
