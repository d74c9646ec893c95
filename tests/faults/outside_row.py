"""Row 10: a bad IP-to-country service is a fallback, and nothing it says makes us call into a private network."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial, tracebacks

Answer = Callable[[asyncio.StreamWriter], Coroutine[Any, Any, None]]
_OK = b"HTTP/1.1 200 OK\r\n"


async def _never(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(30)


async def _drip(writer: asyncio.StreamWriter) -> None:
    writer.write(_OK + b"Content-Length: 400\r\n\r\n")
    for _ in range(100):
        writer.write(b"1")
        await writer.drain()
        await asyncio.sleep(0.3)


async def _flood(writer: asyncio.StreamWriter) -> None:
    writer.write(_OK + b"Content-Length: 10485760\r\n\r\n")
    for _ in range(160):
        writer.write(b"x" * 65536)
        await writer.drain()


def _says(answer: bytes) -> Answer:
    async def say(writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()

    return say


def _faults(private: int) -> dict[str, Answer]:
    redirect = f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{private}/secret\r\nContent-Length: 0\r\n\r\n"
    return {
        "time-out": _never,
        "5xx": _says(b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"),
        "garbage": _says(b"\x00\xff not HTTP at all\r\n\r\n"),
        "nonsense": _says(_OK + b"Content-Length: 6\r\n\r\n1;!!;x"),
        "bomb": _says(_OK + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd"),
        "10 MB": _flood,
        "drip": _drip,
        "redirect to a private address": _says(redirect.encode()),
        "hang up": _says(b""),
    }


@asynccontextmanager
async def _server(answer: Callable[[], Answer], calls: list[bytes]) -> AsyncIterator[int]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        calls.append(await reader.readline())
        try:
            await answer()(writer)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def outside_faults(trial: Trial) -> Verdict:
    inner: list[bytes] = []
    asked: list[bytes] = []
    mood: list[Answer] = [_never]
    slowest, statuses, guesses = 0.0, set[int](), set[str]()
    async with _server(lambda: _says(b""), inner) as private, _server(lambda: mood[0], asked) as port:
        site = trial.site(country_lookup_url=f"http://127.0.0.1:{port}/{{address}}", trusted_proxies="127.0.0.1")
        faults = _faults(private)
        async with trial.client(site) as client:
            for number, answer in enumerate(faults.values(), start=1):
                mood[0] = answer
                began = time.monotonic()
                said = await client.get("/v1.0/visitorCountry", headers={"X-Forwarded-For": f"81.2.{number}.1"})
                slowest = max(slowest, time.monotonic() - began)
                statuses.add(said.status_code)
                guesses.add(said.text[:1])
            for address in (
                "127.0.0.1",
                "10.0.0.1",
                "169.254.169.254",
                "::1",
                "fd00::1",
                "0.0.0.0",
                "localhost",
                "1.1.1.1@10.0.0.1",
            ):
                await client.get("/v1.0/visitorCountry", headers={"X-Forwarded-For": address})
    met = len(asked) == len(faults) and slowest <= 2 and not inner and max(statuses) < 500 and "1" not in guesses
    met = met and tracebacks(site) == 0
    return Verdict(
        met,
        f"{len(faults)} faults: fallback after {slowest:.2f} s at the slowest, statuses {sorted(statuses)}, "
        f"{len(inner)} calls to the private address, {len(asked) - len(faults)} look-ups of private visitors",
    )
