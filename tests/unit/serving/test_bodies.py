"""Request bodies have limits of time and size; one network may send only a few slow ones at once."""

import asyncio
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from site_app.core.http import bodies
from site_app.core.http.bodies import MAX_BODY_BYTES, Bodies, whole_body
from site_app.core.settings import Settings

pytestmark = pytest.mark.anyio


async def _read(request: Request) -> Response:
    return PlainTextResponse(str(len(await whole_body(request, MAX_BODY_BYTES))))


async def _stream(request: Request) -> Response:
    return PlainTextResponse(str(sum([len(part) async for part in request.stream()])))


async def _ignore(_request: Request) -> Response:
    return PlainTextResponse("no matter")


_ANSWERS = {"/read": _read, "/stream": _stream, "/ignore": _ignore, "/v1.0/attachments": _stream}


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    response = await _ANSWERS[scope["path"]](Request(scope, receive))
    await response(scope, receive, send)


@pytest.fixture
def app() -> ASGIApp:
    return Bodies(Settings()).wrap(_app)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "FAST_BODY_SECONDS", 0.05)
    monkeypatch.setattr(bodies, "BODY_TIMEOUT_SECONDS", 0.3)


class Caller:
    """Sends a body in parts, as a slow connection would; `status()` is that of the response, once there is one."""

    def __init__(self, app: ASGIApp, path: str = "/read", address: str = "203.0.113.7", **headers: str) -> None:
        self._parts: asyncio.Queue[Message] = asyncio.Queue()
        self.was_read = 0
        self._told: list[Message] = []
        all_headers = {"content-length": "100"} | {name.replace("_", "-"): value for name, value in headers.items()}
        scope: dict[str, Any] = {
            "type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in all_headers.items()], "client": (address, 5), "http_version": "1.1",
        }  # fmt: skip
        self.done = asyncio.ensure_future(app(scope, self._receive, self._send))

    def send(self, body: bytes, *, last: bool = False) -> None:
        self._parts.put_nowait({"type": "http.request", "body": body, "more_body": not last})

    async def status(self) -> int:
        async with asyncio.timeout(5):
            await self.done
        return next(message["status"] for message in self._told if message["type"] == "http.response.start")

    async def _receive(self) -> Message:
        self.was_read += 1
        return await self._parts.get()

    async def _send(self, message: Message) -> None:
        self._told.append(message)


async def test_a_body_that_comes_in_time_is_read(app: ASGIApp) -> None:
    caller = Caller(app)
    caller.send(b"a" * 60)
    caller.send(b"a" * 40, last=True)

    assert await caller.status() == 200


@pytest.mark.parametrize("path", ["/read", "/stream", "/v1.0/attachments"])
async def test_a_body_that_stops_halfway_is_cut_off(app: ASGIApp, quick: None, path: str) -> None:
    caller = Caller(app, path)
    caller.send(b"a" * 60)

    assert await caller.status() == 400


async def test_a_slow_body_is_cut_off_even_if_bytes_keep_coming(app: ASGIApp, quick: None) -> None:
    callers = [Caller(app, path) for path in ("/read", "/v1.0/attachments")]

    async def drip() -> None:
        while True:
            for caller in callers:
                caller.send(b"a")
            await asyncio.sleep(0.02)

    dripping = asyncio.ensure_future(drip())
    assert [await caller.status() for caller in callers] == [400, 400]
    dripping.cancel()


async def test_a_file_may_take_longer_the_larger_it_is(app: ASGIApp, quick: None) -> None:
    caller = Caller(app, "/v1.0/attachments", content_length="900000")
    for _ in range(6):
        caller.send(b"a" * bodies.MIN_BYTES_PER_SECOND)
        await asyncio.sleep(0.1)
    caller.send(b"", last=True)

    assert await caller.status() == 200


async def test_slow_bodies_of_one_network_are_limited(app: ASGIApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "FAST_BODY_SECONDS", 0.05)
    slow = [Caller(app) for _ in range(3 * bodies.MAX_SLOW_BODIES)]
    refused: list[Caller] = []
    for _ in range(50):  # a busy machine needs longer than the fast time
        await asyncio.sleep(0.1)
        refused = [caller for caller in slow if caller.done.done()]
        if len(refused) >= 2 * bodies.MAX_SLOW_BODIES:
            break
    assert len(refused) == 2 * bodies.MAX_SLOW_BODIES
    assert {await caller.status() for caller in refused} == {429}

    neighbour = Caller(app)
    neighbour.send(b"a" * 100, last=True)
    assert await neighbour.status() == 200  # a caller whose body arrives at once does not wait

    elsewhere = Caller(app, address="203.0.113.8")
    await asyncio.sleep(0.1)
    elsewhere.send(b"a" * 100, last=True)
    assert await elsewhere.status() == 200

    for caller in slow:
        caller.send(b"a" * 100, last=True)
    assert {await caller.status() for caller in slow if caller not in refused} == {200}
    next_callers = [Caller(app) for _ in range(bodies.MAX_SLOW_BODIES)]
    await asyncio.sleep(0.1)
    assert not any(caller.done.done() for caller in next_callers)  # the slots are free again
    for caller in next_callers:
        caller.done.cancel()


async def test_a_body_declared_too_large_is_not_read(app: ASGIApp) -> None:
    for length in (str(MAX_BODY_BYTES + 1), "9" * 5000):
        caller = Caller(app, content_length=length)
        assert await caller.status() == 413
        assert caller.was_read == 0


@pytest.mark.parametrize(("path", "size"), [("/stream", MAX_BODY_BYTES), ("/v1.0/attachments", 11 * 2**20)])
async def test_a_body_without_a_declared_size_ends_at_the_limit(app: ASGIApp, path: str, size: int) -> None:
    caller = Caller(app, path, transfer_encoding="chunked")
    for _ in range(size // 65536 + 1):
        caller.send(b"a" * 65536)

    assert await caller.status() == 413


async def test_an_unread_body_is_not_waited_for(app: ASGIApp) -> None:
    caller = Caller(app, "/ignore")

    assert (await caller.status(), caller.was_read) == (200, 0)
