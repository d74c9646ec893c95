"""A socket's way to Reflex's Socket.IO, without what would be kept for each open page on the way there and never used."""

import asyncio
from functools import partial
from typing import Any

from engineio.async_socket import AsyncSocket
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp, Receive, Scope, Send

_SOCKETS = "/_event"


class Shortcut:
    """ASGI around Reflex's backend: requests take its way through Starlette, which for a socket does nothing.

    It would hold some ten frames and wrappers as long as the socket is open; with the handshake's body it is 6 KiB of each page (measured).
    """

    def __init__(self, backend: ASGIApp) -> None:
        self._backend = backend
        routes = backend.routes if isinstance(backend, Starlette) else ()
        mounted = (route.app for route in routes if isinstance(route, Mount) and route.path == _SOCKETS)
        self._sockets = next(mounted, backend)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._sockets if scope["type"] == "websocket" else self._backend)(scope, receive, send)


def forget_bodies(server: Any) -> None:
    """Let a Socket.IO server drop the body of each handshake, which a socket does not have.

    Engine.IO makes a class of its own to read it by, and keeps that with the socket.
    """
    greet = server.eio.handlers["connect"]

    async def greet_without(sid: str, environ: dict[str, Any]) -> Any:
        environ.pop("wsgi.input", None)
        return await greet(sid, environ)

    server.eio.on("connect", greet_without)


def end_pings(server: Any) -> None:
    """Have the wait for the next ping end with its socket.

    It would go on for 25 seconds and hold the closed socket with all that hangs on it: 6 kB for each visitor who came and left (measured).
    """
    eio = server.eio
    start, leave = eio.start_background_task, eio.handlers["disconnect"]
    waiting: dict[str, asyncio.Task[Any]] = {}

    def forget_ended(sid: str, task: asyncio.Task[Any]) -> None:
        if waiting.get(sid) is task:
            del waiting[sid]

    def start_noting(target: Any, *args: Any, **kwargs: Any) -> asyncio.Task[Any]:
        task = start(target, *args, **kwargs)
        socket = getattr(target, "__self__", None)
        if isinstance(socket, AsyncSocket):  # of a socket's own methods only the ping is a task
            waiting[socket.sid] = task
            task.add_done_callback(partial(forget_ended, socket.sid))
        return task

    async def leave_at_once(sid: str, reason: str) -> Any:
        task = waiting.pop(sid, None)
        if task and task is not asyncio.current_task():
            task.cancel()
        return await leave(sid, reason)

    eio.start_background_task = start_noting
    eio.on("disconnect", leave_at_once)
