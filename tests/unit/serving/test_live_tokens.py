"""With Redis a visitor's token is linked to its socket, also while Redis says nothing."""

import asyncio
from collections.abc import AsyncIterator
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
    """Takes every question, and answers those alone that it is given answers for."""

    def __init__(self, **answers: Any) -> None:
        self._answers = answers
        self.asked = asyncio.Event()

    def __getattr__(self, command: str) -> Any:
        async def asked(*_: object, **__: object) -> Any:
            self.asked.set()
            if command not in self._answers:
                await asyncio.Event().wait()
            return self._answers[command]

        return asked

    def pubsub(self) -> "SilentRedis":
        return self

    async def __aenter__(self) -> None:
        await asyncio.Event().wait()

    async def __aexit__(self, *_: object) -> None: ...


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_tokens, "_ANSWER_SECONDS", 0.05)


def tokens_in(redis: SilentRedis) -> LiveTokens:
    return LiveTokens(redis)  # pyright: ignore[reportArgumentType]


@pytest.fixture
async def closing() -> AsyncIterator[list[LiveTokens]]:
    """Token managers whose tasks end with the test."""
    opened: list[LiveTokens] = []
    yield opened
    for tokens in opened:
        await tokens.close()


async def linked(redis: SilentRedis, closing: list[LiveTokens]) -> tuple[LiveTokens, str | None]:
    tokens = tokens_in(redis)
    closing.append(tokens)
    return tokens, await asyncio.wait_for(tokens.link_token_to_sid(TOKEN, "sid"), 5)


async def test_a_visitor_keeps_his_token_though_redis_says_nothing(closing: list[LiveTokens]) -> None:
    tokens, new = await linked(SilentRedis(aclose=None), closing)

    assert new is None
    assert (dict(tokens.token_to_sid), tokens.sid_to_token) == ({TOKEN: "sid"}, {"sid": TOKEN})


async def test_a_new_token_is_told_though_redis_does_not_note_it(closing: list[LiveTokens]) -> None:
    tokens, new = await linked(SilentRedis(get=None, exists=1, aclose=None), closing)

    assert new not in (None, TOKEN)
    assert (dict(tokens.token_to_sid), tokens.sid_to_token) == ({new: "sid"}, {"sid": new})


async def test_nothing_is_left_of_a_socket_that_closes_while_it_is_linked(closing: list[LiveTokens]) -> None:
    redis, server = (
        SilentRedis(delete=1, aclose=None),
        AsyncServer(async_mode="asgi", async_handlers=False, cors_allowed_origins="*"),
    )
    sockets = EventNamespace("/_event", SimpleNamespace(_state=None, _event_processor=None))  # pyright: ignore[reportArgumentType]
    sockets._token_manager = tokens = tokens_in(redis)
    closing.append(tokens)
    server.register_namespace(sockets)
    frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    for frame in ({"type": "websocket.connect"}, {"type": "websocket.receive", "text": "40/_event,"}):
        frames.put_nowait(frame)

    async def send(_: object) -> None: ...

    served = asyncio.create_task(ASGIApp(server, socketio_path="/_event")(HANDSHAKE, frames.get, send))
    await asyncio.wait_for(redis.asked.wait(), 5)
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
