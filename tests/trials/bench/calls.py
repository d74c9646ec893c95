"""Measures the API's calls against bare handlers on the same server, in turns."""

import asyncio
import json
import os
import sqlite3
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median

import httpx
from sqlalchemy import insert, text
from sqlmodel import SQLModel
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from site_app.core.logs import configure
from site_app.core.settings import environment, load
from site_app.provider.api.app import make_api
from site_app.provider.store import open_engine
from site_app.provider.store.migration import prepare_database
from tests.support.builders import message
from tests.trials.bench.part import Bar, Extent, Measured, Table, half_range
from tests.trials.bench.stage import bare_server
from tests.trials.lab.load import spent
from tests.trials.lab.servers import Server
from tests.trials.lab.trial import FREE, percentile

CONNECTIONS = 16
KEY = "website"
MIN_SHARE_OF_BARE, MAX_PROCESSOR_MS = 0.4, 1.5
_ROUND_SECONDS = 2.0
Body = Callable[[], bytes]
# Calls per second, their 99th percentile, and the server's processor milliseconds for each.
Round = tuple[float, float, float]


def whole_api() -> Starlette:
    """Returns the API with the settings of its environment."""
    settings = load(environment())
    configure(settings)
    prepare_database(settings)
    return make_api(settings)


def bare() -> Starlette:
    """The minimum that stores a message durably (WAL, FULL, one INSERT and commit), and a list of slots made before."""
    database = sqlite3.connect(Path(os.environ["SITE_VAR"]) / "bare.db", isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
        database.execute(f"PRAGMA {pragma}")
    database.execute("CREATE TABLE message (key TEXT PRIMARY KEY, body TEXT NOT NULL)")
    listed = json.loads(os.environ["BENCH_SLOTS"])

    async def insert(request: Request) -> JSONResponse:
        body = await request.body()
        database.execute("INSERT INTO message VALUES (?, ?)", (json.loads(body)["key"], body.decode()))
        return JSONResponse({"ok": True})

    async def slots(request: Request) -> JSONResponse:
        await request.body()
        return JSONResponse(listed)

    endpoints = {"sendMessage": insert, "meetingSlots": slots}
    return Starlette(routes=[Route(f"/v1.0/{call}", endpoint, methods=["POST"]) for call, endpoint in endpoints.items()])


@contextmanager
def api(folder: Path, target: str = "tests.trials.bench.calls:whole_api", **settings: str) -> Iterator[Server]:
    """Runs an API alone on the site's server, with its own database in `folder`."""
    defaults = {"SITE_VAR": str(folder), "SITE_LIMIT_SUBMISSIONS": FREE, "SITE_LIMIT_READS": FREE, "SITE_LOG_LEVEL": "error"}
    # Otherwise fast messages would wait in quarantine, with one mail instead of two.
    defaults |= {"SITE_MINIMUM_FILLING_TIME": "0s"}
    folder.mkdir(parents=True, exist_ok=True)
    with bare_server(folder, target, **defaults | settings) as running:
        httpx.get(f"{running.url}/healthz", timeout=60)  # once its worker answers
        yield running


def insert_rows(url: str, rows: Sequence[SQLModel]) -> None:
    """Returns all rows of a table, read past the API."""
    engine = open_engine(url, connections=1)
    with engine.begin() as connection:
        for start in range(0, len(rows), 1000):
            connection.execute(insert(type(rows[0])), [row.model_dump(exclude_none=True) for row in rows[start : start + 1000]])
        connection.execute(text("ANALYZE"))
    engine.dispose()


def calls(extent: Extent) -> Measured:
    """sendMessage stores a row with its mails; meetingSlots lists a month of slots."""
    rounds = extent.pick(3, full=9)
    results: dict[tuple[str, str], list[Round]] = defaultdict(list)
    with api(extent.folder / "whole") as site_api:
        with httpx.Client(base_url=f"{site_api.url}/v1.0", headers={"X-API-Key": KEY}) as client:
            slots, token = client.post("/meetingSlots", json={}).text, client.get("/formToken").json()["token"]
        bodies: dict[str, Body] = {"sendMessage": partial(_message, token), "meetingSlots": lambda: b"{}"}
        with api(extent.folder / "bare", "tests.trials.bench.calls:bare", BENCH_SLOTS=slots) as least:
            for _ in range(rounds):
                for call, body in bodies.items():
                    for name, server in (("bare", least), ("whole", site_api)):
                        results[call, name].append(asyncio.run(_round(server, call, body)))
    measured, rows = Measured(), []
    for call, name in (("sendMessage", "send_message"), ("meetingSlots", "meeting_slots")):
        site_rounds, bare_rounds = results[call, "whole"], results[call, "bare"]
        ratios = [measurement[0] / bare_round[0] for measurement, bare_round in zip(site_rounds, bare_rounds, strict=True)]
        speed, p99, processor = (median([measurement[index] for measurement in site_rounds]) for index in range(3))
        bare_speed, bare_p99, _ = (median([measurement[index] for measurement in bare_rounds]) for index in range(3))
        measured.figures |= {f"{name}.per_second": speed, f"{name}.p99_ms": p99, f"{name}.processor_ms": processor}
        measured.figures |= {f"{name}.bare_per_second": bare_speed, f"{name}.of_bare": median(ratios)}
        measured.bars.append(
            Bar(f"{call} against the bare one", {"": median(ratios)}, least=MIN_SHARE_OF_BARE, noise=half_range(ratios))
        )
        cells = [
            f"{value:,.{digits}f}" for value, digits in ((speed, 0), (bare_speed, 0), (p99, 1), (bare_p99, 1), (processor, 2))
        ]
        rows.append([call, *cells, f"{median(ratios):.2f}"])
    sending = [measurement[2] for measurement in results["sendMessage", "whole"]]
    measured.bars.append(
        Bar("processor ms of a sendMessage", {"": median(sending)}, most=MAX_PROCESSOR_MS, noise=half_range(sending))
    )
    note = (
        f"{rounds} rounds of {_ROUND_SECONDS:.0f} s, in turns, {CONNECTIONS} connections, one process each. The bare sendMessage is one INSERT with "
        "its commit (WAL, synchronous=FULL); ours checks a contract, counts limits, looks for signs of spam, and keeps the lead with two mails in one "
        "commit. The bare meetingSlots sends a list that was made before."
    )
    head = ("call", "a second", "bare", "p99 ms", "bare p99 ms", "processor ms", "ours / bare")
    measured.tables = [Table("Calls", head, rows, note)]
    return measured


def _message(token: str) -> bytes:
    """Uses a new sender for each, as real leads do, so that no mailbox reaches its daily limit."""
    return json.dumps(message(token=token, email=f"{uuid.uuid4().hex[:12]}@example.com")).encode()


async def _round(server: Server, call: str, body: Body) -> Round:
    took: list[float] = []
    began, used = time.perf_counter(), spent(server.pid)
    await asyncio.gather(*(_caller(server.port, call, body, began + _ROUND_SECONDS, took) for _ in range(CONNECTIONS)))
    seconds, used = time.perf_counter() - began, spent(server.pid) - used
    return len(took) / seconds, percentile(took, 0.99) * 1000, used * 1000 / len(took)


async def _caller(port: int, call: str, body: Body, until: float, took: list[float]) -> None:
    """Sends one call after another over one connection; any failure ends the measurement."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < until:
        content = body()
        head = (
            f"POST /v1.0/{call} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: {KEY}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        began = time.perf_counter()
        writer.write(head.encode() + content)
        reply = await reader.readuntil(b"\r\n\r\n")
        if not reply.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(reply.decode())
        await reader.readexactly(int(reply.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]))
        took.append(time.perf_counter() - began)
    writer.close()
