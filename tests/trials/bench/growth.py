"""Measures cost as work grows: slots over booked calls, messages over stored leads, an event over open sockets."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from statistics import median

import httpx

from site_app.provider.store.tables import BookingCell
from tests.support.builders import message
from tests.support.records import a_meeting, a_message
from tests.support.site_server import Site
from tests.trials.bench.calls import KEY, api, insert_rows
from tests.trials.bench.part import Bar, Extent, Measured, Table
from tests.trials.bench.sockets import Line, crowd
from tests.trials.bench.stage import site
from tests.trials.lab.servers import Server
from tests.trials.lab.trial import allow_many_files

MEETINGS_BOOKED = (100, 1000, 10_000)
LEADS_KEPT = (100, 1000, 10_000, 50_000)
SOCKETS_OPEN = (10, 100, 500, 1500)
NEARLY_NONE = 0.25
Points = list[tuple[float, float]]


@dataclass(frozen=True)
class Curve:
    """A kind of work and its cost at several amounts."""

    title: str
    name: str
    points: Points


def grown(extent: Extent) -> Measured:
    """Measures each amount of work on top of the one before, in one store and one process."""
    allow_many_files()
    tries = extent.pick(30, full=60, short=5)
    folder = extent.folder / "api"
    with api(folder) as running:
        slots, submissions = asyncio.run(_store(running, f"sqlite:///{folder / 'site.db'}", extent, tries))
    with site(extent.folder) as running_site:
        events = asyncio.run(_events(running_site, SOCKETS_OPEN[: extent.pick(3, full=4, short=2)], tries))
    return _reported(
        (
            Curve("meetingSlots over calls in the store", "slots_over_calls", slots),
            Curve("sendMessage over leads in the store", "message_over_leads", submissions),
            Curve("one visitor's event over sockets open", "event_over_sockets", events),
        )
    )


async def _store(running: Server, url: str, extent: Extent, tries: int) -> tuple[Points, Points]:
    async with httpx.AsyncClient(base_url=f"{running.url}/v1.0", headers={"X-API-Key": KEY}, timeout=60) as client:

        async def ask() -> None:
            (await client.post("/meetingSlots", json={})).raise_for_status()

        async def send() -> None:
            (await client.post("/sendMessage", json=message(token=""))).raise_for_status()

        slots = await _over(MEETINGS_BOOKED[: extent.pick(3, full=3, short=2)], partial(_book, url), ask, tries)
        return slots, await _over(LEADS_KEPT[: extent.pick(3, full=4, short=2)], partial(_keep, url), send, tries)


async def _over(
    amounts: Sequence[int], fill: Callable[[range], None], task: Callable[[], Awaitable[object]], tries: int
) -> Points:
    """Returns the duration of the task at each number of rows."""
    points, stored = [], 0
    for amount in amounts:
        await asyncio.to_thread(fill, range(stored, amount))
        stored = amount
        points.append((amount, await _usual_ms(task, tries)))
    return points


def _book(url: str, numbers: range) -> None:
    """Stores past calls, one an hour, with their cells of the calendar."""
    now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    begins = {number + 1: now - timedelta(hours=number + 2) for number in numbers}
    half = timedelta(minutes=30)
    insert_rows(
        url,
        [
            a_meeting(id=number, reference=f"C-{number}", uid=f"{number}@example.com", starts_at=begin, ends_at=begin + half)
            for number, begin in begins.items()
        ],
    )
    cells = [timedelta(minutes=15 * quarter) for quarter in range(3)]
    insert_rows(
        url, [BookingCell(meeting_id=number, starts_at=begin + cell) for number, begin in begins.items() for cell in cells]
    )


def _keep(url: str, numbers: range) -> None:
    now = datetime.now(UTC)
    insert_rows(
        url,
        [a_message(reference=f"M-{number:06}", created_at=now - timedelta(hours=number)) for number in numbers],
    )


async def _events(running: Site, amounts: Sequence[int], tries: int) -> Points:
    lines: list[Line] = []
    probe = await Line(running).open()
    points = []
    for amount in amounts:
        lines += await crowd(running, amount - len(lines))
        points.append((amount, await _usual_ms(probe.event, tries)))
    for line in (probe, *lines):
        line.close()
    return points


async def _usual_ms(task: Callable[[], Awaitable[object]], tries: int) -> float:
    await task()
    took = []
    for _ in range(tries):
        began = time.perf_counter()
        await task()
        took.append((time.perf_counter() - began) * 1000)
    return median(took)


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """Returns the exponent in cost ≈ factor · work ** exponent, by a least-squares line through the logarithms."""
    logs = [(math.log(work), math.log(cost)) for work, cost in points]
    middle_x, middle_y = (sum(point[axis] for point in logs) / len(logs) for axis in (0, 1))
    spread = sum((x - middle_x) ** 2 for x, _ in logs)
    if not spread:
        raise ValueError("growth needs at least two amounts of work")
    return sum((x - middle_x) * (y - middle_y) for x, y in logs) / spread


def _reported(curves: Sequence[Curve]) -> Measured:
    measured, rows = Measured(), []
    exponents = {curve.title: exponent(curve.points) for curve in curves}
    for curve in curves:
        measured.figures |= {f"{curve.name}.exponent": exponents[curve.title]}
        measured.figures |= {f"{curve.name}.ms_{work:.0f}": cost for work, cost in curve.points}
        measurements = ", ".join(f"{work:,.0f}: {cost:.2f} ms" for work, cost in curve.points)
        rows.append([curve.title, measurements, f"{exponents[curve.title]:.2f}"])
    measured.bars = [Bar("exponent of cost over work", exponents, most=NEARLY_NONE, noise=0.1)]
    note = "Medians, one call at a time. An exponent of 0 is a cost that does not grow, 1 one that grows with the work."
    measured.tables = [Table("Cost over work", ("", "measured", "exponent"), rows, note)]
    return measured
