"""With Redis a visitor's token is linked to its socket, even if Redis does not answer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from reflex.app import EventNamespace
from socketio import ASGIApp, AsyncServer

from site_app.serving import live_tokens
from site_app.serving.live_tokens import LiveTokens

pytestmark = pytest.mark.anyio
TOKEN = "0b5c8e2a-93d4-4c1f-8a67-5e2f1d3c4b5a"


class SilentRedis:
    """Accepts every command and answers only those with a prepared reply."""

    def __init__(self, **replies: Any) -> None:
        self._replies = replies
        self.command_sent = asyncio.Event()

    def __getattr__(self, command: str) -> Any:
        async def run_command(*_: object, **__: object) -> Any:
            self.command_sent.set()
            if command not in self._replies:
                await asyncio.Event().wait()
            return self._replies[command]

        return run_command

    def pubsub(self) -> "SilentRedis":
        return self

    async def __aenter__(self) -> None:
        await asyncio.Event().wait()

    async def __aexit__(self, *_: object) -> None: ...


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_tokens, "_ANSWER_SECONDS", 0.05)


@asynccontextmanager
async def tokens_in(redis: SilentRedis) -> AsyncIterator[LiveTokens]:
    """Returns a token manager whose tasks end with the test."""
    tokens = LiveTokens(redis)  # pyright: ignore[reportArgumentType]
    yield tokens
    await tokens.close()


@pytest.mark.parametrize(("replies", "is_new"), [({}, False), ({"get": None, "exists": 1}, True)])
async def test_a_visitor_gets_a_token_although_redis_fails(replies: Any, is_new: bool) -> None:
    async with tokens_in(SilentRedis(aclose=None, **replies)) as tokens:
        new = await asyncio.wait_for(tokens.link_token_to_sid(TOKEN, "sid"), 5)

        assert (new not in (None, TOKEN)) is is_new
        assert (dict(tokens.token_to_sid), tokens.sid_to_token) == ({new or TOKEN: "sid"}, {"sid": new or TOKEN})


async def test_a_socket_closed_while_it_is_linked_leaves_nothing() -> None:
    redis = SilentRedis(delete=1, aclose=None)
    server = AsyncServer(async_mode="asgi", async_handlers=False, cors_allowed_origins="*")
    sockets = EventNamespace("/_event", SimpleNamespace(_state=None, _event_processor=None))  # pyright: ignore[reportArgumentType]
    server.register_namespace(sockets)
    frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    for frame in ({"type": "websocket.connect"}, {"type": "websocket.receive", "text": "40/_event,"}):
        frames.put_nowait(frame)

    async def send(_: object) -> None: ...

    async with tokens_in(redis) as tokens:
        sockets._token_manager = tokens
        served = asyncio.create_task(ASGIApp(server, socketio_path="/_event")(HANDSHAKE, frames.get, send))
        await asyncio.wait_for(redis.command_sent.wait(), 5)
        frames.put_nowait({"type": "websocket.disconnect", "code": 1001})
        ended, _ = await asyncio.wait([served], timeout=5)

    assert ended
    assert (server.manager.rooms, server.environ, sockets._static_router_data) == ({}, {}, {})
    assert (tokens.token_to_socket, tokens.sid_to_token) == ({}, {})


HANDSHAKE = {
    "type": "websocket",
    "path": "/_event/",
    "raw_path": b"/_event/",
    "query_string": f"EIO=4&transport=websocket&token={TOKEN}".encode(),
    "headers": [(b"upgrade", b"websocket"), (b"connection", b"upgrade")],
    "client": ("203.0.113.7", 50000),
    "server": ("localhost", 3000),
    "scheme": "ws",
    "http_version": "1.1",
    "root_path": "",
}
