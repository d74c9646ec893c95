"""What more work costs: slots over calls booked, messages over leads kept, an event over sockets open."""

import asyncio
import math
import sqlite3
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median

import httpx

from tests.bench.calls import KEY, api
from tests.bench.part import Bar, Extent, Measured, Table
from tests.bench.sockets import Line, crowd
from tests.bench.stage import site
from tests.browser.server import Site
from tests.builders import meeting, message
from tests.lab.servers import Server
from tests.lab.trial import allow_many_files

CALLS_BOOKED = (100, 1000, 10_000)
LEADS_KEPT = (100, 1000, 10_000, 50_000)
SOCKETS_OPEN = (10, 100, 500, 1500)
NEARLY_NONE = 0.25
_NOT_MULTIPLIED = ("outbox", "idempotency")  # mails would be sent, and a key is used once
_APART = 1000  # between the numbers of copies
Points = list[tuple[float, float]]


@dataclass(frozen=True)
class Curve:
    """What grows, and what it costs."""

    says: str
    name: str
    points: Points


def grown(extent: Extent) -> Measured:
    """Each amount of work on top of the one before, in one store and one process."""
    allow_many_files()
    tries = extent.pick(30, full=60, short=5)
    with api(extent.room / "api") as running:
        slots, kept = asyncio.run(_store(running, extent, tries))
    with site(extent.room) as whole:
        events = asyncio.run(_events(whole, SOCKETS_OPEN[: extent.pick(3, full=4, short=2)], tries))
    return _reported(
        (
            Curve("meetingSlots over calls in the store", "slots_over_calls", slots),
            Curve("sendMessage over leads in the store", "message_over_leads", kept),
            Curve("one visitor's event over sockets open", "event_over_sockets", events),
        )
    )


async def _store(running: Server, extent: Extent, tries: int) -> tuple[Points, Points]:
    database, headers = extent.room / "api" / "site.db", {"X-API-Key": KEY}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{running.port}/v1.0", headers=headers, timeout=60) as client:

        async def ask() -> httpx.Response:
            return (await client.post("/meetingSlots", json={})).raise_for_status()

        async def book() -> None:
            slot = (await ask()).json()["results"][0]["id"]
            (await client.post("/bookMeeting", json=meeting(slot=slot, token=""))).raise_for_status()

        async def send() -> None:
            (await client.post("/sendMessage", json=message(token=""))).raise_for_status()

        slots = await _over(CALLS_BOOKED[: extent.pick(3, full=3, short=2)], database, book, ask, tries)
        return slots, await _over(LEADS_KEPT[: extent.pick(3, full=4, short=2)], database, send, send, tries)


async def _over(
    amounts: Sequence[int],
    database: Path,
    once: Callable[[], Awaitable[object]],
    errand: Callable[[], Awaitable[object]],
    tries: int,
) -> Points:
    """What the errand takes when the rows that `once` writes are there so many times."""
    before = _last_rows(database)
    await once()
    gained = {table: last for table, last in _last_rows(database).items() if last > before[table]}
    points, there = [], 1
    for amount in amounts:
        for table in gained:
            multiply(database, table, before[table], gained[table], range(there, amount))
        there = amount
        points.append((amount, await _usual_ms(errand, tries)))
    return points


def _last_rows(database: Path) -> dict[str, int]:
    with closing(sqlite3.connect(database)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        asked = {table: f"SELECT COALESCE(MAX(rowid), 0) FROM {table}" for table in tables if table not in _NOT_MULTIPLIED}
        return {table: connection.execute(question).fetchone()[0] for table, question in asked.items()}


def multiply(database: Path, table: str, after: int, last: int, turns: range) -> None:
    """The rows after one and up to another once more for each turn, an hour earlier each time; whatever names a row is made new."""
    with closing(sqlite3.connect(database, timeout=60)) as connection, connection:
        rows = connection.execute(f"SELECT * FROM {table} WHERE rowid > ? AND rowid <= ?", (after, last))
        columns = [column[0] for column in rows.description]
        named = {one[1] for one in connection.execute(f"PRAGMA table_info({table})") if one[5]}
        named |= {one[3] for one in connection.execute(f"PRAGMA foreign_key_list({table})")}
        for index in [one[1] for one in connection.execute(f"PRAGMA index_list({table})") if one[2]]:
            named |= {one[2] for one in connection.execute(f"PRAGMA index_info({index})")}
        found = rows.fetchall()
        copies = (
            [_made_new(value, turn, column, column in named) for column, value in zip(columns, row, strict=True)]
            for turn in turns
            for row in found
        )
        statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        connection.executemany(statement, copies)


def _made_new(value: object, turn: int, column: str, is_name: bool) -> object:
    if column in ("starts_at", "ends_at"):
        return (datetime.fromisoformat(str(value)) - timedelta(hours=turn)).strftime("%Y-%m-%d %H:%M:%S.%f")
    if not is_name or value is None:
        return value
    return value + turn * _APART if isinstance(value, int) else f"{value}-{turn}"


async def _events(running: Site, amounts: Sequence[int], tries: int) -> Points:
    others: list[Line] = []
    one = await Line(running).open()
    points = []
    for amount in amounts:
        others += await crowd(running, amount - len(others))
        points.append((amount, await _usual_ms(one.event, tries)))
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


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """How cost follows work: cost ≈ factor · work ** exponent, by the least-squares line through the logarithms."""
    logs = [(math.log(work), math.log(cost)) for work, cost in points]
    middle_x, middle_y = (sum(one[axis] for one in logs) / len(logs) for axis in (0, 1))
    spread = sum((x - middle_x) ** 2 for x, _ in logs)
    if not spread:
        raise ValueError("growth needs at least two amounts of work")
    return sum((x - middle_x) * (y - middle_y) for x, y in logs) / spread


def _reported(curves: Sequence[Curve]) -> Measured:
    measured, rows = Measured(), []
    found = {curve.says: exponent(curve.points) for curve in curves}
    for curve in curves:
        measured.figures |= {f"{curve.name}.exponent": found[curve.says]}
        measured.figures |= {f"{curve.name}.ms_{work:.0f}": cost for work, cost in curve.points}
        seen = ", ".join(f"{work:,.0f}: {cost:.2f} ms" for work, cost in curve.points)
        rows.append([curve.says, seen, f"{found[curve.says]:.2f}"])
    measured.bars = [Bar("exponent of cost over work", found, most=NEARLY_NONE, noise=0.1)]
    note = "Medians, one call at a time. An exponent of 0 is a cost that does not grow, 1 one that grows with the work."
    measured.tables = [Table("Cost over work", ("", "measured", "exponent"), rows, note)]
    return measured
