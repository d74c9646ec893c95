"""What more work costs: slots over calls booked, messages and lists over leads kept, an event over sockets open."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx

from site_app.services import archive
from site_app.store import Store, database_url
from tests.bench.calls import Api
from tests.bench.part import Bar, Extent, Measured, Table, median
from tests.bench.plot import growth, plot
from tests.bench.sockets import Line, crowd
from tests.bench.stage import Process, build_site, site
from tests.bench.work import book, keep_leads
from tests.builders import message
from tests.faults.trial import allow_many_files

CALLS_BOOKED = (100, 1000, 10_000)
LEADS_KEPT = (100, 1000, 10_000, 50_000)
SOCKETS_OPEN = (10, 100, 500, 1500)
NEARLY_NONE = 0.25
Points = list[tuple[float, float]]


@dataclass(frozen=True)
class Curve:
    """One plot: a name, what grows, what it costs, and the exponent it is held to."""

    name: str
    says: str
    work: str
    cost: str
    points: Points
    most: float


def grown(extent: Extent) -> Measured:
    """Each amount of work on top of the one before, in one store and one process."""
    build_site()
    allow_many_files()
    tries = extent.pick(60, 5)
    with Api(extent.room, "tests.bench.submissions:whole") as running:
        slots = asyncio.run(_slots(running, extent, tries))
        kept, listed = asyncio.run(_leads(running, extent, tries))
    with site(extent.room) as whole:
        events = asyncio.run(_events(whole, extent, tries))
    return _reported(
        (
            Curve("slots_over_calls", "meetingSlots", "calls in the store", "ms", slots, NEARLY_NONE),
            Curve("message_over_leads", "sendMessage", "leads in the store", "ms", kept, NEARLY_NONE),
            Curve("list_over_leads", "leads list", "leads in the store", "ms", listed, 1.15),
            Curve("event_over_sockets", "One visitor's event", "sockets open", "ms", events, NEARLY_NONE),
        )
    )


async def _slots(running: Api, extent: Extent, tries: int) -> Points:
    async with _client(running) as client:

        async def ask() -> None:
            (await client.post("/v1.0/meetingSlots", json={})).raise_for_status()

        points, there = [], 0
        for wanted in CALLS_BOOKED[: extent.pick(3, 2)]:
            book(_database(running), wanted - there, already=there, now=datetime.now(UTC))
            there = wanted
            points.append((wanted, await _usual_ms(ask, tries)))
        return points


async def _leads(running: Api, extent: Extent, tries: int) -> tuple[Points, Points]:
    store = Store(database_url("", _database(running).parent))
    async with _client(running) as client:

        async def send() -> None:
            (await client.post("/v1.0/sendMessage", json=message(token=""))).raise_for_status()

        async def show() -> None:
            await store.read(archive.entries)

        kept, listed, there = [], [], 0
        for wanted in LEADS_KEPT[: extent.pick(4, 2)]:
            keep_leads(_database(running), wanted - there, already=there, now=datetime.now(UTC))
            there = wanted
            kept.append((wanted, await _usual_ms(send, tries)))
            listed.append((wanted, await _usual_ms(show, max(3, tries // 10))))
    store.close()
    return kept, listed


async def _events(running: Process, extent: Extent, tries: int) -> Points:
    others: list[Line] = []
    one = await Line(running.port).open()
    points = []
    for wanted in SOCKETS_OPEN[: extent.pick(4, 2)]:
        others += await crowd(running.port, wanted - len(others))
        points.append((wanted, await _usual_ms(one.event, tries)))
    for line in (one, *others):
        line.close()
    return points


async def _usual_ms(errand: Callable[[], Awaitable[object]], tries: int) -> float:
    await errand()
    took = []
    for _ in range(tries):
        began = time.perf_counter()
        await errand()
        took.append((time.perf_counter() - began) * 1000)
    return median(took)


def _client(running: Api) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{running.port}", headers={"X-API-Key": "website"}, timeout=60)


def _database(running: Api) -> Path:
    return running.var / "site.db"


def _reported(curves: Sequence[Curve]) -> Measured:
    measured, rows = Measured(), []
    for curve in curves:
        exponent = growth(curve.points).exponent
        measured.figures |= {f"{curve.name}.exponent": exponent}
        measured.figures |= {f"{curve.name}.ms_{work:.0f}": cost for work, cost in curve.points}
        measured.plots[curve.name] = plot(curve.says, curve.points, work=curve.work, cost=curve.cost)
        measured.bars.append(Bar(f"exponent of {curve.says} over {curve.work}", exponent, most=curve.most))
        seen = ", ".join(f"{work:,.0f}: {cost:.2f} {curve.cost}" for work, cost in curve.points)
        rows.append([f"{curve.says} over {curve.work}", seen, f"{exponent:.2f}"])
    note = "Medians, one call at a time. An exponent of 0 is a cost that does not grow, 1 one that grows with the work."
    measured.tables = [Table("Cost over work", ("", "measured", "exponent"), rows, note)]
    return measured
