"""The guard itself: who may open a socket, what may come through it, and when it is cut."""

import re
from collections.abc import Awaitable, Container
from contextlib import suppress
from urllib.parse import parse_qs

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from site_app.http.addresses import address_of, neighbourhood
from site_app.metrics import socket_closed, socket_opened
from site_app.serving.tally import Tally
from site_app.settings import Settings
from site_app.socket_guard.departed import Departed
from site_app.socket_guard.events import Allowed
from site_app.socket_guard.frames import FrameRefused, Frames
from site_app.socket_guard.rates import Rate, Visitors
from site_app.socket_guard.unfinished import Unfinished, Watched
from site_app.socket_guard.usual import usual_forms

_PATHS = ("/_event", "/_event/")
_TOKEN = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_KEPT_HEADERS = frozenset({b"host", b"origin", b"connection", b"upgrade"})
_HANDSHAKE = b"sec-websocket-"
_POLICY_VIOLATION = 1008
_BURST = 3  # seconds' worth of events at once
_ARRIVAL_BURST = 20  # seconds' worth of new sockets at once


class SocketGuard:
    """ASGI before Reflex's backend. Requests pass; a socket passes frame by frame, and at the first wrong one it is closed."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        allowed: Allowed,
        settings: Settings,
        reading: Container[str] = (),
        departed: Departed | None = None,
    ) -> None:
        self._app, self._allowed, self._settings, self._reading = app, allowed, settings, reading
        self._departed = departed
        self._usual = usual_forms(allowed)
        self._origins = {origin.encode() for origin in settings.origins}
        self._tally = Tally("socket.refused")
        self._unfinished = Unfinished(self._tally)
        self._visitors = Visitors(
            each=settings.limit_sockets,
            total=settings.limit_all_sockets,
            arrivals=settings.limit_arrivals,
            burst=_ARRIVAL_BURST * settings.limit_arrivals,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        address = address_of(HTTPConnection(scope), self._settings)
        household = neighbourhood(address)
        problem = self._handshake(scope) or self._visitors.enter(household)
        if problem:
            self._tally.count(problem)
            await receive()
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            return
        token = _tokens(scope)[0]
        if self._departed:
            self._departed.comes(token)
        frames = Frames(self._allowed, self._usual, self._reading)
        host, port = scope["client"]
        watched = self._unfinished.watch(host, int(port))
        socket_opened()
        try:
            # Reflex copies all of this into the visitor's state: the address behind our proxies, and no header that tells of him
            kept = [(name, value) for name, value in scope["headers"] if name in _KEPT_HEADERS or name.startswith(_HANDSHAKE)]
            scope["client"], scope["headers"] = (address, 0), kept  # not a copy: it lasts as long as the socket
            await self._pass(scope, receive, send, frames, watched)
        finally:
            if watched:
                watched.close()
            self._visitors.leave(household)
            if self._departed:
                self._departed.leaves(token, acted=frames.acted)
            socket_closed()

    def _handshake(self, scope: Scope) -> str:
        """What is wrong with this handshake, empty if nothing is."""
        origins = [value for name, value in scope["headers"] if name == b"origin"]
        tokens = _tokens(scope)
        if scope["path"] not in _PATHS:
            return "path"
        if len(origins) != 1 or origins[0] not in self._origins:
            return "origin"
        if len(tokens) != 1 or not _TOKEN.fullmatch(tokens[0]):
            return "token"
        return ""

    def _pass(self, scope: Scope, receive: Receive, send: Send, frames: Frames, watched: Watched | None) -> Awaitable[None]:
        events = Rate(self._settings.limit_events, _BURST * self._settings.limit_events)
        cut = False

        async def receive_checked() -> Message:
            nonlocal cut
            if cut:
                return {"type": "websocket.disconnect", "code": _POLICY_VIOLATION}
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            if watched:
                watched.whole()
            try:
                if not events.take():
                    raise FrameRefused("too many events")
                frames.check(message.get("text"))
            except FrameRefused as refused:
                cut = True
                self._tally.count(str(refused))
                with suppress(OSError, RuntimeError):  # it may be gone already
                    await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
                return {"type": "websocket.disconnect", "code": _POLICY_VIOLATION}
            return message

        async def send_unless_cut(message: Message) -> None:
            if not cut:
                await send(message)

        return self._app(scope, receive_checked, send_unless_cut)


def _tokens(scope: Scope) -> list[str]:
    return parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
