"""What the socket guard costs: an event's time and events a second, with and without it, in turns over the same application.

Run it with `python -m tests.bench.guard`. Client and Reflex's backend share a process and speak ASGI, so no network stands between
them and the guard's part is as large as it can be.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from tempfile import TemporaryDirectory
from typing import Self
from unittest.mock import patch

from reflex_base.registry import RegistrationContext
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from site_app.settings import Settings
from site_app.web import asgi
from site_app.web.guard import SocketGuard, reviewed
from tests.browser.server import ROOT, environment
from tests.faults.wire import DIALOG, HYDRATE, event, packet

ROUNDS, EVENTS, LINES = 20, 300, 8
_ORIGIN = "http://localhost:3000"
_SETTINGS = {
    "SITE_PRODUCTION": "true",
    "SITE_LIMIT_EVENTS": "1000000000",
    "SITE_LIMIT_SOCKETS": "100000",
    "SITE_LIMIT_ARRIVALS": "1000000",
}


def figures(rounds: int = ROUNDS) -> dict[str, float]:
    """Medians of the rounds, measured in a process of its own: `p50_ms`, `per_second`, each `_with` and `_without`, and the costs."""
    command = [sys.executable, "-m", "tests.bench.guard", "--json", str(rounds)]
    done = subprocess.run(command, cwd=ROOT, env=environment(_SETTINGS), capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


class Line:
    """A socket of the application, without a network."""

    def __init__(self, app: ASGIApp, *, guarded: bool) -> None:
        self._app, self._is_guarded = app, guarded
        self._to_app: asyncio.Queue[Message] = asyncio.Queue()
        self._from_app: asyncio.Queue[Message] = asyncio.Queue()
        self._seq = 0

    async def open(self) -> Self:
        scope = {
            "type": "websocket", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "scheme": "ws", "path": "/_event/",
            "raw_path": b"/_event/", "root_path": "", "query_string": f"token={uuid.uuid4()}&EIO=4&transport=websocket".encode(),
            "headers": [
                (b"host", b"localhost:3000"), (b"origin", _ORIGIN.encode()), (b"upgrade", b"websocket"), (b"connection", b"upgrade"),
                (b"sec-websocket-key", b"x" * 16), (b"sec-websocket-version", b"13"),
            ],
            "client": ("127.0.0.1", 50000), "server": ("127.0.0.1", 3000), "subprotocols": [], "state": {}, "extensions": {},
            "is_guarded": self._is_guarded,
        }  # fmt: skip
        self._running = asyncio.ensure_future(self._app(scope, self._to_app.get, self._from_app.put))
        await self._to_app.put({"type": "websocket.connect"})
        await self._until(lambda text: text.startswith("0{"))
        await self._say(f'40/_event,{{"event":{json.dumps(event(HYDRATE, {"hashes": []}))}}}')
        await self._until(lambda text: 'is_hydrated_rx_state_":true' in text)
        return self

    async def round_trip(self) -> float:
        """Seconds until the state has answered that a dialog was opened or closed."""
        self._seq += 1
        began = time.perf_counter()
        await self._say(packet(f"{DIALOG}.report", {"name": "quote" if self._seq % 2 else "", "seq": self._seq}))
        await self._until(lambda text: f'"seq_rx_state_":{self._seq}' in text)
        return time.perf_counter() - began

    async def close(self) -> None:
        await self._to_app.put({"type": "websocket.disconnect", "code": 1000})
        await self._running

    async def _say(self, text: str) -> None:
        await self._to_app.put({"type": "websocket.receive", "text": text})

    async def _until(self, wanted: Callable[[str], bool]) -> None:
        async with asyncio.timeout(20):
            while True:
                text = (await self._from_app.get()).get("text") or ""
                if text == "2":
                    await self._say("3")
                elif wanted(text):
                    return


async def measure(rounds: int) -> dict[str, float]:
    ways = ("without", "with")
    times: dict[str, list[float]] = {name: [] for name in ways}
    rates: dict[str, list[float]] = {name: [] for name in ways}
    async with _backend() as app:
        lines = {name: [await Line(app, guarded=name == "with").open() for _ in range(LINES)] for name in ways}
        for number in range(rounds + 1):
            for name in ways if number % 2 else ways[::-1]:
                alone = [await lines[name][0].round_trip() for _ in range(EVENTS)]
                began = time.perf_counter()
                await asyncio.gather(*(_many(line, EVENTS) for line in lines[name]))
                rate = LINES * EVENTS / (time.perf_counter() - began)
                if number:  # the first round is a warm-up
                    times[name].append(statistics.median(alone) * 1000)
                    rates[name].append(rate)
        for line in (line for group in lines.values() for line in group):
            await line.close()
    return _told(times, rates)


def _told(times: dict[str, list[float]], rates: dict[str, list[float]]) -> dict[str, float]:
    p50 = {name: statistics.median(found) for name, found in times.items()}
    rate = {name: statistics.median(found) for name, found in rates.items()}
    # of neighbours in time, so that a machine that slows down slows both
    loss = statistics.median(1 - ours / bare for ours, bare in zip(rates["with"], rates["without"], strict=True))
    added = statistics.median(ours - bare for ours, bare in zip(times["with"], times["without"], strict=True))
    return {
        "p50_ms_without": p50["without"],
        "p50_ms_with": p50["with"],
        "p50_ms_added": added,
        "per_second_without": rate["without"],
        "per_second_with": rate["with"],
        "throughput_lost_percent": loss * 100,
        "rounds": len(rates["with"]),
        "load": os.getloadavg()[0],
    }


async def _many(line: Line, count: int) -> None:
    for _ in range(count):
        await line.round_trip()


@asynccontextmanager
async def _backend() -> AsyncIterator[ASGIApp]:
    """The site's application with Reflex's backend alone in it, behind the guard for connections that ask for it; it is running."""

    def either(backend: ASGIApp, *, settings: Settings, **_: object) -> ASGIApp:
        guarded = SocketGuard(backend, allowed=reviewed(RegistrationContext.get().event_handlers), settings=settings)

        async def choose(scope: Scope, receive: Receive, send: Send) -> None:
            await (guarded if scope.get("is_guarded") else backend)(scope, receive, send)

        return choose

    with patch("site_app.web.site.serve", either):
        app = asgi.site()
    to_app: asyncio.Queue[Message] = asyncio.Queue()
    from_app: asyncio.Queue[Message] = asyncio.Queue()
    life = asyncio.ensure_future(app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, to_app.get, from_app.put))
    await to_app.put({"type": "lifespan.startup"})
    assert (await from_app.get())["type"] == "lifespan.startup.complete"
    try:
        yield app
    finally:
        await to_app.put({"type": "lifespan.shutdown"})
        await life


def _table(found: dict[str, float]) -> str:
    lost, added = found["throughput_lost_percent"], found["p50_ms_added"]
    return (
        f"{'':<16}{'without':>10}{'with':>10}{'cost':>12}{'bar':>12}\n"
        f"{'events a second':<16}{found['per_second_without']:>10.0f}{found['per_second_with']:>10.0f}{lost:>10.1f} %{'≤ 5 %':>12}\n"
        f"{'p50 of one, ms':<16}{found['p50_ms_without']:>10.3f}{found['p50_ms_with']:>10.3f}{added:>9.3f} ms{'≤ 0.2 ms':>12}\n"
        f"{found['rounds']:.0f} rounds in turns, load {found['load']:.1f}"
    )


if __name__ == "__main__":
    if "--json" in sys.argv:
        with TemporaryDirectory() as room:
            os.environ["SITE_VAR"] = room
            print(json.dumps(asyncio.run(measure(int(sys.argv[-1])))))
    else:
        print(_table(figures()))
