"""Requests to the deployed site as its visitors send them: over TLS, from any address, and steadily during a restart."""

import asyncio
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any, Self

import httpx

from tests.support.builders import message
from tests.trials.deploy.stages import HOST
from tests.trials.lab.visitors import form_token

SITE = f"https://{HOST}"
_PAGES_PER_MESSAGE = 4
_PAUSE_SECONDS = 0.05
_FILLING_SECONDS = 3.5  # a form sent sooner looks automatic


def client(trusted: ssl.SSLContext, *, address: str = "127.0.0.1", **options: Any) -> httpx.AsyncClient:
    """Returns a client that comes from this address of the machine."""
    transport = httpx.AsyncHTTPTransport(verify=trusted, local_address=address)
    return httpx.AsyncClient(base_url=SITE, transport=transport, timeout=30, headers={"X-API-Key": "website"}, **options)


async def send_message(visitor: httpx.AsyncClient) -> httpx.Response:
    """Opens the form, fills it in for as long as a person takes, and sends it."""
    token = await form_token(visitor)
    await asyncio.sleep(_FILLING_SECONDS)
    return await visitor.post("/v1.0/sendMessage", json=message(token=token))


class Steady:
    """Visitors who read pages and send forms while something else happens, each from an address of their own; none repeats a request."""

    def __init__(self, trusted: ssl.SSLContext) -> None:
        self._trusted = trusted
        self.statuses: Counter[str] = Counter()
        self.references: list[str] = []
        self.slowest = 0.0
        self._over = False

    async def during(self, action: Callable[[], Awaitable[Any]]) -> Self:
        sending = asyncio.create_task(self._arrive())
        await asyncio.sleep(1)
        try:
            await action()
            await asyncio.sleep(1)
        finally:
            self._over = True
            await sending
        return self

    @property
    def errors(self) -> int:
        return self.statuses.total() - self.statuses["200"]

    def __str__(self) -> str:
        errors = ", ".join(f"{times} × {status}" for status, times in sorted(self.statuses.items()) if status != "200")
        return f"{self.statuses.total()} requests, {errors or '0 errors'}, slowest {self.slowest:.1f} s"

    async def _arrive(self) -> None:
        tasks: list[asyncio.Task[None]] = []
        for number in count():
            if self._over:
                break
            tasks.append(asyncio.create_task(self._visit(number)))
            await asyncio.sleep(_PAUSE_SECONDS)
        await asyncio.gather(*tasks)

    async def _visit(self, number: int) -> None:
        began = asyncio.get_running_loop().time()
        try:
            async with client(self._trusted, address=f"127.{1 + number // 250 % 250}.{1 + number % 250}.1") as visitor:
                if number % (_PAGES_PER_MESSAGE + 1):
                    response = await visitor.get(("/", "/th", "/cn", "/faq")[number % 4])
                else:
                    response = await visitor.post("/v1.0/sendMessage", json=message(email=f"visitor{number}@example.com"))
                    self.references += [response.json()["reference"]] if response.is_success else []
            self.statuses[str(response.status_code)] += 1
        except httpx.HTTPError as error:
            self.statuses[type(error).__name__] += 1
        self.slowest = max(self.slowest, asyncio.get_running_loop().time() - began)
