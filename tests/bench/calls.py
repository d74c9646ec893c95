"""What the API's calls cost against the least that could answer them, on the same server, in turns."""

import asyncio
import json
import os
import statistics
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tests.bench.part import Extent, Measured, Table, median
from tests.bench.stage import FREE, NONE, Process, Variables, granian
from tests.browser.server import free_port
from tests.builders import message

CONNECTIONS = 16
KEY = "website"
_ROUND_SECONDS = 2.0
Body = Callable[[], bytes]


def bare() -> Starlette:
    """The least that keeps a message durably (tests.bench.submissions), and the least that lists slots: a list made before."""
    from tests.bench.submissions import bare as keeper

    listed = json.loads(os.environ["BENCH_SLOTS"])

    async def slots(request: Request) -> JSONResponse:
        await request.body()
        return JSONResponse(listed)

    keeping = keeper()
    keeping.router.routes.append(Route("/v1.0/meetingSlots", slots, methods=["POST"]))
    return keeping


def calls(extent: Extent) -> Measured:
    """sendMessage keeps a row with its mails; meetingSlots computes a month of slots."""
    rounds = extent.pick(9, 1)
    with Api(extent.room, "tests.bench.submissions:whole") as whole:
        slots = httpx.post(f"http://127.0.0.1:{whole.port}/v1.0/meetingSlots", json={}, headers={"X-API-Key": KEY}).text
        with Api(extent.room, "tests.bench.calls:bare", {"BENCH_SLOTS": slots}) as least:
            seen = {(call, name): [] for call in _BODIES for name in ("whole", "bare")}  # type: dict[tuple[str, str], list[tuple[float, float]]]
            for _ in range(rounds):
                for call, body in _BODIES.items():
                    for name, server in (("bare", least), ("whole", whole)):
                        seen[call, name].append(asyncio.run(_round(server.port, call, body)))
    measured, rows = Measured(), []
    for call in _BODIES:
        ours, theirs = seen[call, "whole"], seen[call, "bare"]
        ratio = median([mine[0] / least[0] for mine, least in zip(ours, theirs, strict=True)])
        name = "send_message" if call == "sendMessage" else "meeting_slots"
        measured.figures |= {
            f"{name}.per_second": median([one[0] for one in ours]),
            f"{name}.p99_ms": median([one[1] for one in ours]),
        }
        measured.figures |= {f"{name}.bare_per_second": median([one[0] for one in theirs]), f"{name}.of_bare": ratio}
        cells = [
            f"{median([one[index] for one in side]):,.{digits}f}"
            for index, digits in ((0, 0), (1, 1))
            for side in (ours, theirs)
        ]
        rows.append([call, *cells, f"{ratio:.2f}"])
    note = (
        f"{rounds} rounds of {_ROUND_SECONDS:.0f} s, in turns, {CONNECTIONS} connections, one process each. The bare sendMessage is one INSERT with "
        "its commit (WAL, synchronous=FULL); ours checks a contract, counts limits, looks for signs of spam, and keeps the lead with two mails in one "
        "commit. The bare meetingSlots sends a list that was made before."
    )
    head = ("call", "a second", "bare", "p99 ms", "bare p99 ms", "ours / bare")
    measured.tables = [Table("Calls", head, rows, note)]
    return measured


def _message() -> bytes:
    return json.dumps(message(token="") | {"key": str(uuid.uuid4())}).encode()


def _nothing() -> bytes:
    return b"{}"


_BODIES: dict[str, Body] = {"sendMessage": _message, "meetingSlots": _nothing}


class Api(Process):
    """An API alone on the site's server, with a database of its own in `var`."""

    def __init__(self, room: Path, target: str, variables: Variables = NONE) -> None:
        port = free_port()
        self.var = room / f"api{port}"
        self.var.mkdir()
        own = {"SITE_VAR": str(self.var), "SITE_LIMIT_SUBMISSIONS": FREE, "SITE_LIMIT_READS": FREE, "SITE_LOG_LEVEL": "error"}
        super().__init__(granian(target, port), port=port, log=self.var / "server.log", variables={**own, **variables})


async def _round(port: int, call: str, body: Body) -> tuple[float, float]:
    took: list[float] = []
    began = time.perf_counter()
    await asyncio.gather(*(caller(port, call, body, began + _ROUND_SECONDS, took) for _ in range(CONNECTIONS)))
    return len(took) / (time.perf_counter() - began), statistics.quantiles(took, n=100)[98] * 1000


async def caller(port: int, call: str, body: Body, until: float, took: list[float]) -> None:
    """One call after another over one connection; anything but a success ends the measurement."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < until:
        content = body()
        head = (
            f"POST /v1.0/{call} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: {KEY}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        began = time.perf_counter()
        writer.write(head.encode() + content)
        answer = await reader.readuntil(b"\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(answer.decode())
        await reader.readexactly(int(answer.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]))
        took.append(time.perf_counter() - began)
    writer.close()
