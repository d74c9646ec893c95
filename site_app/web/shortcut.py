"""A socket's way to Reflex's Socket.IO, without what would be kept for each open page on the way there and never used."""

from typing import Any

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
