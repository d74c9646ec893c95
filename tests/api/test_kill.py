"""What was acknowledged is kept, once, with its mails: also when the server is killed at any moment."""

import asyncio
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import uuid
from pathlib import Path

import httpx
import pytest

from tests.builders import message

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

ROUNDS, PER_SECOND, SECONDS = 5, 50, 2.0


class Server:
    """The API in a process group of its own."""

    def __init__(self, var: Path, port: int) -> None:
        self._port = port
        environment = os.environ | {"SITE_VAR": str(var), "SITE_LIMIT_SUBMISSIONS": "100000/minute", "SITE_LOG_LEVEL": "error"}
        command = [sys.executable, "-m", "granian", "--interface", "asgi", "--factory", "--no-access-log"]
        command += ["--log-level", "error", "--port", str(port), "tests.bench.calls:whole"]
        self._process = subprocess.Popen(command, env=environment, start_new_session=True)

    async def answers(self) -> None:
        async with asyncio.timeout(20):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", self._port)
                except OSError:
                    await asyncio.sleep(0.02)
                else:
                    writer.close()
                    return

    def kill(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


async def send(client: httpx.AsyncClient, key: str, acknowledged: dict[str, str]) -> None:
    """Send once; whoever gets no answer will try again with the same key."""
    try:
        answer = await client.post("/v1.0/sendMessage", json=message(key=key))
    except httpx.HTTPError:
        return
    assert answer.status_code == 200, answer.text
    assert acknowledged.setdefault(key, answer.json()["reference"]) == answer.json()["reference"]


async def test_killed_under_load_nothing_is_lost_and_nothing_doubled(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    keys: list[str] = []
    acknowledged: dict[str, str] = {}

    for _ in range(ROUNDS):
        server = Server(tmp_path, port)
        await server.answers()
        limits = httpx.Limits(max_connections=50)
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", headers={"X-API-Key": "website"}, limits=limits
        ) as client:
            unsure = [key for key in keys if key not in acknowledged]
            under_way = [asyncio.create_task(send(client, key, acknowledged)) for key in unsure]
            for _ in range(int(PER_SECOND * SECONDS)):
                keys.append(str(uuid.uuid4()))
                under_way.append(asyncio.create_task(send(client, keys[-1], acknowledged)))
                await asyncio.sleep(1 / PER_SECOND)
            under_way += [asyncio.create_task(send(client, str(uuid.uuid4()), {})) for _ in range(20)]
            server.kill()
            await asyncio.gather(*under_way)

    database = sqlite3.connect(tmp_path / "site.db")
    kept = dict(database.execute("SELECT key, reference FROM idempotency_key"))
    leads = [reference for (reference,) in database.execute("SELECT reference FROM lead")]
    mailed = {reference for (reference,) in database.execute("SELECT reference FROM outbox")}
    database.close()
    assert len(acknowledged) > ROUNDS * PER_SECOND
    assert {key: kept.get(key) for key in acknowledged} == acknowledged
    assert sorted(leads) == sorted(kept.values())
    assert len(set(leads)) == len(leads)
    assert mailed == set(leads)
