"""A socket goes straight to Socket.IO, a request the long way."""

import asyncio
from typing import Any

import pytest
from engineio.async_socket import AsyncSocket
from reflex_base.environment import environment
from socketio import AsyncServer
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp, Receive, Scope, Send

from site_app.serving.shortcut import EVERYTHING, SOCKETS, Shortcut, end_pings, forget_handshakes
from site_app.site_app import app


def naming(name: str, seen: list[str]) -> ASGIApp:
    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append(name)

    return app


@pytest.mark.anyio
async def test_a_socket_skips_what_only_requests_need() -> None:
    seen: list[str] = []
    backend = Starlette()
    backend.mount("/_event", naming("sockets", seen))
    backend.mount("", naming("requests", seen))

    for kind in ("websocket", "http"):
        scope = {"type": kind, "path": "/_event/" if kind == "websocket" else "/ping", "headers": [], "method": "GET"}
        await Shortcut(backend, SOCKETS)(scope, Any, Any)  # pyright: ignore[reportArgumentType]

    assert seen == ["sockets", "requests"]


@pytest.mark.anyio
async def test_only_a_socket_is_prepared_here() -> None:
    seen: list[str] = []
    outer = Starlette()
    outer.mount("", naming("inner", seen))
    shortcut = Shortcut(outer, EVERYTHING, prepare=lambda: seen.append("prepared"))

    for kind in ("websocket", "http"):
        await shortcut({"type": kind, "path": "/", "headers": [], "method": "GET"}, Any, Any)  # pyright: ignore[reportArgumentType]

    assert seen == ["prepared", "inner", "inner"]


def test_reflex_mounts_its_apps_where_the_shortcuts_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere a socket would take the long way, and only its memory would tell."""
    monkeypatch.setenv(environment.REFLEX_SKIP_COMPILE.name, "True")
    given: list[ASGIApp] = []
    monkeypatch.setattr(app, "api_transformer", lambda backend: given.append(backend) or backend)

    outer = app()

    assert mounted(outer, EVERYTHING) == given
    assert len(mounted(given[0], SOCKETS)) == 1


def mounted(app: Any, path: str) -> list[ASGIApp]:
    return [route.app for route in app.routes if isinstance(route, Mount) and route.path == path]


@pytest.mark.anyio
async def test_of_a_handshake_is_kept_what_is_read_later() -> None:
    server = AsyncServer(async_mode="asgi")
    kept: list[dict[str, Any]] = []

    async def greet(_sid: str, environ: dict[str, Any]) -> None:
        kept.append(environ)

    server.eio.on("connect", greet)
    forget_handshakes(server)

    read_later = {
        "asgi.scope": {},
        "asgi.receive": object(),
        "asgi.send": object(),
        "REQUEST_METHOD": "GET",
        "HTTP_UPGRADE": "websocket",
    }
    await server.eio.handlers["connect"]("a", read_later | {"wsgi.input": object(), "HTTP_USER_AGENT": "a browser"})

    assert kept == [read_later]


@pytest.mark.anyio
async def test_the_wait_for_the_next_ping_ends_with_its_socket() -> None:
    server = AsyncServer(async_mode="asgi")
    end_pings(server)
    before = asyncio.all_tasks()
    socket = AsyncSocket(server.eio, "a")
    socket.schedule_ping()
    await asyncio.sleep(0)
    (ping,) = asyncio.all_tasks() - before

    await socket.close(wait=False, abort=True)

    await asyncio.wait([ping], timeout=5)
    assert ping.cancelled()


@pytest.mark.anyio
async def test_a_socket_that_stays_is_pinged_on() -> None:
    server = AsyncServer(async_mode="asgi", ping_interval=0.001)
    end_pings(server)
    gone, stays = (AsyncSocket(server.eio, sid) for sid in ("gone", "stays"))
    stays.schedule_ping()

    await gone.close(wait=False, abort=True)

    packet = await asyncio.wait_for(stays.queue.get(), timeout=5)
    assert packet.encode() == "2"
