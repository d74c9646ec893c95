"""How fast leads are taken: sendMessage through the whole API against a bare insert of the same durability.

Run it with `python -m tests.bench.submissions`. Both are served by granian, one worker each, on a free port of this machine;
rounds alternate, so that what else the machine does falls on both. The clients share the machine with the server.
"""

import argparse
import asyncio
import json
import os
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from site_app.api.app import make_api
from site_app.logs import configure
from site_app.settings import load
from tests.builders import message

CONNECTIONS = 32


def bare() -> Starlette:
    """The least that keeps a row: a connection, WAL, FULL, one INSERT and its commit per request."""
    database = sqlite3.connect(Path(os.environ["SITE_VAR"]) / "bare.db", isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
        database.execute(f"PRAGMA {pragma}")
    database.execute("CREATE TABLE message (key TEXT PRIMARY KEY, body TEXT NOT NULL)")

    async def insert(request: Request) -> JSONResponse:
        body = await request.body()
        database.execute("INSERT INTO message VALUES (?, ?)", (json.loads(body)["key"], body.decode()))
        return JSONResponse({"ok": True})

    return Starlette(routes=[Route("/v1.0/sendMessage", insert, methods=["POST"])])


def whole() -> Starlette:
    settings = load(os.environ)
    configure(settings)
    return make_api(settings)


@dataclass
class Served:
    """A server of its own, and what was measured on it."""

    name: str
    var: Path
    port: int = 0
    per_second: list[float] = field(default_factory=list)
    p99: list[float] = field(default_factory=list)
    answered: int = 0
    cpu_ms: float = 0.0

    def start(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        free_of_limits = "100000000/minute"
        environment = os.environ | {
            "SITE_VAR": str(self.var),
            "SITE_LIMIT_SUBMISSIONS": free_of_limits,
            "SITE_LOG_LEVEL": "error",
        }
        command = [
            sys.executable,
            "-m",
            "granian",
            "--interface",
            "asgi",
            "--factory",
            "--no-access-log",
            "--log-level",
            "error",
        ]
        command += ["--host", "127.0.0.1", "--port", str(self.port), f"tests.bench.submissions:{self.name}"]
        self._process = subprocess.Popen(command, env=environment)
        until = time.monotonic() + 20
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise TimeoutError(self.name)

    def stop(self) -> None:
        self._process.terminate()
        _, _, used = os.wait4(self._process.pid, 0)
        self._process.returncode = 0
        self.cpu_ms = 1000 * (used.ru_utime + used.ru_stime) / max(self.answered, 1)

    async def round(self, seconds: float) -> None:
        took: list[float] = []
        began = time.perf_counter()
        await asyncio.gather(*(_visitor(self.port, began + seconds, took) for _ in range(CONNECTIONS)))
        self.answered += len(took)
        self.per_second.append(len(took) / (time.perf_counter() - began))
        self.p99.append(statistics.quantiles(took, n=100)[98] * 1000)


async def _visitor(port: int, until: float, took: list[float]) -> None:
    """Send one message after another over one connection; anything but a success ends the measurement."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    template: dict[str, Any] = message(token="")
    while time.perf_counter() < until:
        body = json.dumps(template | {"key": str(uuid.uuid4())}).encode()
        head = (
            "POST /v1.0/sendMessage HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: website\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        began = time.perf_counter()
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(answer.decode())
        length = int(answer.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        took.append(time.perf_counter() - began)
    writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--directory", type=Path, help="Where the databases lie; default: a new temporary directory")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.directory) as room:
        both = [Served("bare", Path(room)), Served("whole", Path(room))]
        for one in both:
            one.start()
        for _ in range(chosen.rounds):
            for one in both:
                asyncio.run(one.round(chosen.seconds))
        for one in both:
            one.stop()
    for one in both:
        speed, slowest = statistics.median(one.per_second), statistics.median(one.p99)
        print(f"{one.name:6}{speed:8.0f}/s   p99 {slowest:6.1f} ms   processor {one.cpu_ms:5.2f} ms each")
    ratios = [second / first for first, second in zip(both[0].per_second, both[1].per_second, strict=True)]
    print(f"ratio  {statistics.median(ratios):7.2f}   of neighbouring rounds, from {min(ratios):.2f} to {max(ratios):.2f}")


if __name__ == "__main__":
    main()
