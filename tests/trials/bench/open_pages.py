"""Idle open pages: the memory of a socket, and the effect of thousands on other visitors."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

import httpx

from tests.support.site_server import Site
from tests.trials.lab.load import spent
from tests.trials.lab.trial import memory_mb, percentile
from tests.trials.lab.wire import STATE, Refused, Wire, packet

_START = packet(f"{STATE}.site_app___states___reference____startup_state.start")
_AT_ONCE = 32
_SETTLE_SECONDS = 4.0  # for the startup of the last page, and its garbage collection
_WATCH_SECONDS = 10.0


@dataclass(frozen=True)
class Crowd:
    """Measures the memory of each open page, a visitor's waiting time among them, and the processor load."""

    sockets: int
    opened_per_second: float
    kib_each: float
    page_p95_ms: float
    socket_p95_ms: float
    core_percent: float


async def crowds(site: Site, sizes: Sequence[int]) -> list[Crowd]:
    """Opens pages up to each size and measures them, once all have finished their start."""
    wires: list[Wire] = []
    listening: list[asyncio.Task[None]] = []
    measured = []
    await _open(site, 8, listening)  # modules loaded for the first visitors are loaded once for all
    await asyncio.sleep(_SETTLE_SECONDS)
    empty = memory_mb(site)
    try:
        for size in sizes:
            began, missing = time.monotonic(), size - len(wires)
            wires += await _open(site, missing, listening)
            speed = missing / (time.monotonic() - began)
            await asyncio.sleep(_SETTLE_SECONDS)
            measured.append(await _look(site, size, speed, empty))
    finally:
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
    return measured


async def _open(site: Site, count: int, listening: list[asyncio.Task[None]]) -> list[Wire]:
    gate = asyncio.Semaphore(_AT_ONCE)

    async def connect() -> Wire:
        async with gate:
            wire = await Wire(site).connect()
            wire.send(_START)
            return wire

    wires = await asyncio.gather(*(connect() for _ in range(count)))
    listening += [asyncio.create_task(_listen(wire)) for wire in wires]
    return wires


async def _listen(wire: Wire) -> None:
    """Behaves like a browser: reads everything, and answers the server's pings."""
    try:
        while True:
            await wire.receive()
    except Refused:
        pass
    finally:
        wire.close()


async def _look(site: Site, size: int, speed: float, empty: float) -> Crowd:
    grown = memory_mb(site) - empty
    began, spent_before = time.monotonic(), spent(site.pid)
    await asyncio.sleep(_WATCH_SECONDS)
    busy = (spent(site.pid) - spent_before) / (time.monotonic() - began)
    visitor = await Wire(site).connect()
    pings = [await visitor.round_trip() for _ in range(40)]
    visitor.close()
    waits = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{site.port}", timeout=20) as client:
        for _ in range(40):
            began = time.monotonic()
            (await client.get("/faq")).raise_for_status()
            waits.append(time.monotonic() - began)
    return Crowd(size, speed, 1024 * grown / size, 1000 * percentile(waits), 1000 * percentile(pings), 100 * busy)
