"""Row 9: Redis is killed under two workers and comes back empty; leads go on, and a visitor is told."""

import asyncio
import shutil
import time
from asyncio.subprocess import DEVNULL, Process
from contextlib import suppress
from pathlib import Path

import httpx
from playwright.async_api import Page

from site_app.content.form_words import submit_words
from tests.browser.server import Site, free_port
from tests.builders import message
from tests.faults.forms import chromium, fill, opened, send
from tests.faults.scorecard import NotRun, Verdict
from tests.faults.trial import Trial, log_of, percentile, tracebacks, until
from tests.faults.wire import FAQ, Refused, Wire, packet
from tests.scale.engines import database_url, postgresql
from tests.scale.packages import programs

_PER_SECOND = 10
_GONE_SECONDS = 8.0
_NO_REDIS = '"error": "ConnectionError", "trace": ["asyncio/connection.py'  # its client, of a visitor who was there as it went


class Senders:
    """People who send over plain HTTP, once each; `refused` are those who did not get their reference at once."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client, self._over = client, asyncio.Event()
        self.took: list[float] = []
        self.refused: list[str] = []

    async def come(self) -> None:
        sent = []
        while not self._over.is_set():
            sent.append(asyncio.create_task(self._send()))
            await asyncio.sleep(1 / _PER_SECOND)
        await asyncio.gather(*sent)

    def stop(self) -> None:
        self._over.set()

    async def _send(self) -> None:
        began = time.monotonic()
        try:
            answer = await self._client.post("/v1.0/sendMessage", json=message())
        except httpx.HTTPError as error:
            self.refused.append(type(error).__name__)
            return
        if answer.status_code != 200:
            self.refused.append(str(answer.status_code))
        self.took.append(time.monotonic() - began)


async def redis_gone(trial: Trial) -> Verdict:
    port = free_port()
    postgres = postgresql(programs(), trial.room)
    redis = await _redis(port, trial.room)
    try:
        postgres.start()
        site = trial.site(redis_url=f"redis://127.0.0.1:{port}/1", database_url=database_url(postgres), workers="2")
        async with trial.client(site) as client, chromium() as browser:
            page = await opened(browser, f"http://127.0.0.1:{site.port}")
            await fill(page, "ada.1@example.org")
            senders = Senders(client)
            coming = asyncio.create_task(senders.come())
            await asyncio.sleep(2)
            redis.kill()
            await redis.wait()
            gone = time.monotonic()
            told, through = await _sends(page)
            assert not await _answers(site), "sockets work without Redis: this trial shows nothing"
            await asyncio.sleep(max(0.0, gone + _GONE_SECONDS - time.monotonic()))
            redis = await _redis(port, trial.room)
            back = await until(lambda: _answers(site), seconds=60)
            await page.get_by_role("button", name="Send another message").click()
            await fill(page, "ada.2@example.org")
            _, again = await _sends(page)
            senders.stop()
            await coming
    finally:
        with suppress(ProcessLookupError):
            redis.kill()
        await redis.wait()
        trial.close_sites()
        postgres.kill()
    broken = tracebacks(site, foreseen=_NO_REDIS)
    met = not senders.refused and min(told, through) <= 3 and through <= 10 and back <= 5 and again <= 5 and not broken
    return Verdict(
        met,
        f"2 workers, {len(senders.took)} submissions by HTTP, {len(senders.refused)} not taken at once {sorted(set(senders.refused)) or ''}, "
        f"p95 {percentile(senders.took) * 1000:.0f} ms; without Redis a visitor is told after {min(told, through):.1f} s and has his reference "
        f"after {through:.1f} s; sockets work {back:.1f} s after Redis is back, his next message takes {again:.1f} s; "
        f"{broken} tracebacks, {len(log_of(site).splitlines())} log lines",
    )


async def _redis(port: int, room: Path) -> Process:
    """An empty one that answers."""
    program = shutil.which("redis-server")
    if not program:
        raise NotRun("needs redis-server (Debian's package has that name)")
    options = ("--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no", "--dir", str(room))
    process = await asyncio.create_subprocess_exec(program, *options, stdout=DEVNULL, stderr=DEVNULL)

    async def listens() -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionError:
            return False
        writer.close()
        return True

    await until(listens, seconds=10)
    return process


async def _sends(page: Page) -> tuple[float, float]:
    """Seconds from the click until the visitor is told that it takes longer, and until he has his reference."""
    began = time.monotonic()
    await send(page)
    told = asyncio.create_task(_after(began, page, f"text={submit_words('')['still']}"))
    through = await _after(began, page, ".result:visible dd strong")
    if not told.done():
        told.cancel()
    (after,) = await asyncio.gather(told, return_exceptions=True)
    return after if isinstance(after, float) else through, through


async def _after(began: float, page: Page, selector: str) -> float:
    await page.locator(selector).first.wait_for(timeout=30_000)
    return time.monotonic() - began


async def _answers(site: Site) -> bool:
    """Whether a new visitor's event is answered by its state."""
    wire = Wire(site)
    try:
        await wire.connect()
        wire.send(packet(f"{FAQ}.report", {"category": "services", "question": "", "seq": 1}))
        async with asyncio.timeout(3):
            while "faq_state" not in await wire.receive():
                pass
    except (Refused, TimeoutError, ConnectionError):
        return False
    finally:
        wire.close()
    return True
