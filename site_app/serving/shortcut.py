"""A socket's way to Reflex's Socket.IO, without what would be kept for each open page on the way there and never used."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from engineio.async_socket import AsyncSocket
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp, Receive, Scope, Send

EVERYTHING, SOCKETS = "", "/_event"  # where Reflex mounts our site in its outer app, and Socket.IO in its inner one
# What is read of a handshake once it is taken: by Engine.IO, Socket.IO and Reflex.
_READ_LATER = (
    *("asgi.scope", "asgi.receive", "asgi.send", "REQUEST_METHOD", "QUERY_STRING", "REMOTE_ADDR"),
    *("HTTP_CONNECTION", "HTTP_UPGRADE", "HTTP_ORIGIN", "HTTP_SEC_WEBSOCKET_PROTOCOL"),
)


class Shortcut:
    """ASGI around an app of Reflex: requests take its way through Starlette, which for a socket does nothing.

    It would hold some twenty frames and wrappers as long as the socket is open: with what is kept of the handshake,
    12 KiB of each page (measured). A call is not a coroutine of its own for the same reason.
    """

    def __init__(self, app: ASGIApp, mount: str, prepare: Callable[[], object] = lambda: None) -> None:
        self._app, self._prepare = app, prepare
        routes = app.routes if isinstance(app, Starlette) else ()
        mounted = (route.app for route in routes if isinstance(route, Mount) and route.path == mount)
        self._sockets = next(mounted, app)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] != "websocket":
            return self._app(scope, receive, send)
        self._prepare()
        return self._sockets(scope, receive, send)


def forget_handshakes(server: Any) -> None:
    """Let a Socket.IO server keep of each handshake what is read of it later.

    Engine.IO keeps it in two forms with the socket, and for a body, which none has, a class of its own.
    """
    greet = server.eio.handlers["connect"]

    async def greet_without(sid: str, environ: dict[str, Any]) -> Any:
        kept = {name: environ[name] for name in _READ_LATER if name in environ}
        environ.clear()
        environ.update(kept)
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
