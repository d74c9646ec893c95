"""Measures a socket's cost: events a second against a bare echo, memory for each visitor, and delays with many of them."""

import asyncio
import json
import time
from collections.abc import Sequence
from itertools import count
from statistics import median

from starlette.types import Receive, Scope, Send

from tests.support.site_server import Site
from tests.trials.bench.part import Bar, Extent, Figures, Measured, Table, half_range
from tests.trials.bench.stage import bare_server, site, without_development_packages
from tests.trials.lab.servers import Server
from tests.trials.lab.trial import allow_many_files, memory_mb, percentile
from tests.trials.lab.wire import DIALOG, Wire, packet

ROOM_FOR = (0, 500, 2000)
ALWAYS_OPEN = 16
_ROUND_SECONDS = 2.0
_AT_ONCE = 50
MAX_KB, MAX_IDLE_MB, MIN_SHARE_OF_BARE = 400, 140, 0.2


class Line:
    """A connected visitor, and the server's time for one of their events."""

    def __init__(self, server: Site | Server) -> None:
        self._wire = Wire(server)
        self._turn = count(1)

    async def open(self) -> "Line":
        await self._wire.connect()
        return self

    async def event(self) -> float:
        """Returns the seconds from an event to its change of the state: the dialog's number of this report."""
        turn = next(self._turn)
        began = time.perf_counter()
        self._wire.send(packet(f"{DIALOG}.report", {"name": ("quote", "")[turn % 2], "seq": turn}))
        async with asyncio.timeout(30):
            while f'"seq_rx_state_":{turn}' not in (await self._wire.receive()).replace(" ", ""):
                pass
        return time.perf_counter() - began

    def close(self) -> None:
        self._wire.close()


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """The minimum that answers an event: every frame is parsed, and a frame of a delta's size is returned."""
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (got := await receive())["type"] == "websocket.receive":
        text = got["text"]
        if text.startswith("40"):
            await send({"type": "websocket.send", "text": "40/_event"})
            continue
        turn = json.loads(text[len("42/_event,") :])[1]["payload"]["seq"]
        delta = {"delta": {DIALOG: {"open_dialog_rx_state_": "quote", "seq_rx_state_": turn}}, "events": [], "final": True}
        await send({"type": "websocket.send", "text": f"42/_event,{json.dumps(['event', delta], separators=(',', ':'))}"})


def bare() -> object:
    return echo


def sockets(extent: Extent) -> Measured:
    """Measures events through guard, Socket.IO and state against the echo; memory without, with some and with many visitors."""
    allow_many_files()
    with site(extent.folder) as running, bare_server(extent.folder, "tests.trials.bench.sockets:bare") as least:
        measured = asyncio.run(_measured(running, least, rounds=extent.pick(3, full=7)))
    with site(extent.folder, variables=without_development_packages(extent.folder)) as running:
        asyncio.run(_memory(running, ROOM_FOR[: extent.pick(2, full=3, short=2)], measured))
    return measured


async def _measured(running: Site, least: Server, rounds: int) -> Measured:
    results: dict[str, list[tuple[float, float]]] = {"whole": [], "bare": []}
    for _ in range(rounds):
        for name, server in (("bare", least), ("whole", running)):
            results[name].append(await _round(server))
    ratios = [site_round[0] / bare[0] for site_round, bare in zip(results["whole"], results["bare"], strict=True)]
    ratio = median(ratios)
    figures: Figures = {"events_of_bare": ratio}
    for name, many in results.items():
        figures |= {
            f"{name}.events_per_second": median([measurement[0] for measurement in many]),
            f"{name}.p99_ms": median([measurement[1] for measurement in many]),
        }
    rows = [
        [label, f"{figures[f'{name}.events_per_second']:,.0f}", f"{figures[f'{name}.p99_ms']:.1f}"]
        for label, name in (("the site: guard, Socket.IO, state, delta", "whole"), ("a bare echo on the same server", "bare"))
    ]
    note = f"{ALWAYS_OPEN} visitors, each sending the next event when the last was answered; {rounds} rounds in turns. Ratio {ratio:.2f}."
    bar = Bar("events a second against a bare echo", {"": ratio}, least=MIN_SHARE_OF_BARE, noise=half_range(ratios))
    return Measured(figures, [Table("Socket events", ("", "a second", "p99 ms"), rows, note)], [bar])


async def _round(server: Site | Server) -> tuple[float, float]:
    lines = [await Line(server).open() for _ in range(ALWAYS_OPEN)]
    took: list[float] = []
    began = time.perf_counter()

    async def visitor(line: Line) -> None:
        while time.perf_counter() < began + _ROUND_SECONDS:
            took.append(await line.event())
        line.close()

    await asyncio.gather(*(visitor(line) for line in lines))
    return len(took) / (time.perf_counter() - began), percentile(took, 0.99) * 1000


async def _memory(running: Site, numbers: Sequence[int], measured: Measured) -> None:
    lines: list[Line] = []
    memory: dict[int, float] = {}
    for number in numbers:
        lines += await crowd(running, number - len(lines))
        memory[number] = settled_memory_mb(running)
    first, last = numbers[0], numbers[-1]
    each = (memory[last] - memory[first]) * 1024 / (last - first)
    for line in lines:
        line.close()
    measured.figures |= {f"memory_mb.{number}": value for number, value in memory.items()} | {"kb_per_visitor": each}
    rows = [[f"{number:,}", f"{value:,.0f}"] for number, value in memory.items()]
    note = f"{each:.0f} kB for each visitor: the socket, what the guard knows of it, and the state of all rooms. With the packages of `make serve`."
    measured.tables.append(Table("Memory", ("sockets open", "MB"), rows, note))
    measured.bars.append(Bar("memory for each visitor in kB", {"": each}, most=MAX_KB))
    measured.bars.append(Bar("memory of an idle process in MB", {"": memory[first]}, most=MAX_IDLE_MB))


async def crowd(running: Site, number: int) -> list[Line]:
    """Connects this many more visitors, each with a state of their own and one event sent."""
    lines: list[Line] = []
    while len(lines) < number:
        new_lines = [Line(running) for _ in range(min(_AT_ONCE, number - len(lines)))]
        await asyncio.gather(*(line.open() for line in new_lines))
        await asyncio.gather(*(line.event() for line in new_lines))
        lines += new_lines
    return lines


def settled_memory_mb(running: Site) -> float:
    """Returns the memory of a process and its children once it has stopped growing."""
    last_mb, current_mb = -1.0, memory_mb(running)
    while abs(current_mb - last_mb) > 1:
        time.sleep(0.5)
        last_mb, current_mb = current_mb, memory_mb(running)
    return current_mb
