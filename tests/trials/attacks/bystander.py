"""An ordinary visitor in a separate process, whose waiting times are measured during an attack."""

import asyncio
import json
import sys
import time
from typing import Self

import httpx

from tests.support.builders import message
from tests.support.site_server import ROOT, Site
from tests.trials.lab.wire import Wire

_PAUSE = 0.1


class Bystander:
    """`seconds` holds how long each ping over the socket took, or each page and message over HTTP."""

    def __init__(self, site: Site, way: str = "socket") -> None:
        self._site, self._way = site, way
        self.seconds: list[float] = []
        self.refused = 0

    async def __aenter__(self) -> Self:
        command = [sys.executable, "-m", "tests.trials.attacks.bystander", self._way, str(self._site.port)]
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, limit=2**24, stdin=pipe, stdout=pipe)
        await self._line()
        return self

    async def __aexit__(self, *_error: object) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self.seconds, self.refused = json.loads(await self._line())
        await self._process.wait()

    async def _line(self) -> bytes:
        assert self._process.stdout
        return await self._process.stdout.readline()


async def _stand_by(way: str, port: int) -> None:
    site = Site(port, ROOT)
    seconds: list[float] = []
    refused = 0
    over = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    if way == "socket":
        wire = await Wire(site).connect()
        print("ready", flush=True)
        while not over.done():
            seconds.append(await wire.round_trip())
            await asyncio.sleep(_PAUSE)
    else:
        headers = {"X-API-Key": "website"}
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=20) as client:
            print("ready", flush=True)
            while not over.done():
                began = time.perf_counter()
                try:
                    page, lead = await client.get("/faq"), await client.post("/v1.0/sendMessage", json=message())
                    refused += (page.status_code, lead.status_code) != (200, 200)
                except httpx.HTTPError:
                    refused += 1
                seconds.append(time.perf_counter() - began)
                await asyncio.sleep(_PAUSE)
    print(json.dumps([seconds, refused]), flush=True)


if __name__ == "__main__":
    asyncio.run(_stand_by(sys.argv[1], int(sys.argv[2])))
