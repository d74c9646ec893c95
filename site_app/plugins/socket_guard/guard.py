"""The guard: checks who opens a socket and every frame that comes through it, and closes it on a violation."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qs

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from site_app.plugins.socket_guard.events import EventTable, PayloadRefused
from site_app.plugins.socket_guard.frames import FrameRefused, Frames
from site_app.plugins.socket_guard.rates import OpenSockets, Rate
from site_app.plugins.socket_guard.sessions import DisconnectedSessions
from site_app.plugins.socket_guard.unfinished import GuardedSocket, UnfinishedMessages

_PATHS = ("/_event", "/_event/")
_TOKEN = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_DEVELOPMENT_TOKEN = re.compile(r"[0-9a-f-]{36}")  # Reflex's own browser code makes tokens that are not valid UUIDs
_KEPT_HEADERS = frozenset({b"host", b"origin", b"connection", b"upgrade"})
_HANDSHAKE = b"sec-websocket-"
_POLICY_VIOLATION = 1008
_BURST = 3  # seconds' worth of events at once
_ARRIVAL_BURST = 20  # seconds' worth of new sockets at once
_SAY_WITHIN_SECONDS = 1  # a browser that does not read must not keep its socket open
# Say in production no more than an attacker sees anyway, and the same for every event.
_EVENT_DROPPED = "a value has another type than its handler takes, or there are too many values."
_SOCKET_CLOSED = "it is too large, comes too soon after many others, or is none of this site's pages. The connection is closed."
_IN_THE_LOG = "The server's log says which it is."


@dataclass(frozen=True)
class SocketLimits:
    """The limits of the guard. A network is the result of `network_of` for an IP address."""

    sockets: int = 20  # of one network, at once
    all_sockets: int = 2000  # of all, at once
    arrivals: int = 2  # new sockets a second of one network
    events: int = 20  # a second of one socket


class GuardObserver:
    """Receives the guard's actions. The text of a refusal is a constant of the code and repeats nothing that was sent."""

    def refused(self, problem: str) -> None: ...

    def socket_opened(self) -> None: ...

    def socket_closed(self) -> None: ...


def _peer_ip(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


class SocketGuard:
    """ASGI middleware before Reflex's backend. Requests pass; the frames of a socket are checked, and the first wrong one closes it.

    An event whose payload has the wrong types is dropped, and the socket stays open. The browser's console says either. `client_ip` returns
    the visitor's IP address behind any proxies, and `network_of` the network of that address. With `reports`, for development, the console
    names each refused event, and no event closes the socket. With `origins=None` the caller of the guard must have checked the origin.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        events: EventTable,
        origins: Collection[str] | None,
        limits: SocketLimits | None = None,
        client_ip: Callable[[HTTPConnection], str] = _peer_ip,
        network_of: Callable[[str], str] = str,
        observer: GuardObserver | None = None,
        disconnected: DisconnectedSessions | None = None,
        reports: bool = False,
    ) -> None:
        self._app = app
        self._events = events
        self._limits = limits = limits or SocketLimits()
        self._client_ip = client_ip
        self._network_of = network_of
        self._disconnected = disconnected
        self._origins = None if origins is None else {origin.encode() for origin in origins}
        self._reports = reports
        self._observer = observer or GuardObserver()
        self._unfinished = UnfinishedMessages(self._observer.refused)
        self._open = OpenSockets(
            each=limits.sockets,
            total=limits.all_sockets,
            arrivals=limits.arrivals,
            burst=_ARRIVAL_BURST * limits.arrivals,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        ip = self._client_ip(HTTPConnection(scope))
        network = self._network_of(ip)
        problem = self._handshake(scope) or self._open.enter(network)
        if problem:
            self._observer.refused(problem)
            await receive()
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            return
        token = _tokens(scope)[0]
        if self._disconnected:
            self._disconnected.socket_opened(token)
        frames = Frames(self._events)
        (host, port), guarded = scope["client"], None
        self._observer.socket_opened()
        try:
            guarded = await self._unfinished.watch(host, int(port))
            # Reflex copies client and headers into the visitor's state: pass the visitor's own address, and none of a proxy's headers
            headers = [
                (name, value) for name, value in scope["headers"] if name in _KEPT_HEADERS or name.startswith(_HANDSHAKE)
            ]
            scope["client"], scope["headers"] = (ip, 0), headers  # in place: a copy would live as long as the socket
            await self._pass(scope, receive, send, frames, guarded)
        finally:
            if guarded:
                guarded.close()
            self._open.leave(network)
            if self._disconnected:
                self._disconnected.socket_closed(token)
            self._observer.socket_closed()

    def _handshake(self, scope: Scope) -> str:
        """Returns what is wrong with this handshake, or "" if it is valid."""
        origins = [value for name, value in scope["headers"] if name == b"origin"]
        tokens = _tokens(scope)
        if scope["path"] not in _PATHS:
            return "path"
        if self._origins is not None and (len(origins) != 1 or origins[0] not in self._origins):
            return "origin"
        if len(tokens) != 1 or not (_DEVELOPMENT_TOKEN if self._reports else _TOKEN).fullmatch(tokens[0]):
            return "token"
        return ""

    def _explanation(self, refused: FrameRefused | PayloadRefused) -> str:
        if self._reports:
            return str(refused)
        return f"{_SOCKET_CLOSED if isinstance(refused, FrameRefused) else _EVENT_DROPPED} {_IN_THE_LOG}"

    def _pass(
        self, scope: Scope, receive: Receive, send: Send, frames: Frames, guarded: GuardedSocket | None
    ) -> Awaitable[None]:
        events = Rate(self._limits.events, _BURST * self._limits.events)
        is_cut = False

        async def receive_checked() -> Message:
            nonlocal is_cut
            while not is_cut:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                if guarded:
                    guarded.message_complete()
                try:
                    if not events.take():
                        raise FrameRefused("too many events")
                    frames.check(message.get("text"))
                    return message
                except (FrameRefused, PayloadRefused) as refused:
                    self._observer.refused(str(refused))
                    is_cut = isinstance(refused, FrameRefused) and not self._reports
                    if frames.is_connected:
                        await _say_in_console(self._explanation(refused), send)
                    if is_cut:
                        with suppress(OSError, RuntimeError):  # the socket may be gone already
                            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            return {"type": "websocket.disconnect", "code": _POLICY_VIOLATION}

        async def send_unless_cut(message: Message) -> None:
            if not is_cut:
                await send(message)

        return self._app(scope, receive_checked, send_unless_cut)


async def _say_in_console(problem: str, send: Send) -> None:
    with suppress(OSError, RuntimeError, TimeoutError):
        async with asyncio.timeout(_SAY_WITHIN_SECONDS):
            await send({"type": "websocket.send", "text": _console_message(problem)})


def _console_message(problem: str) -> str:
    """Returns a frame in Reflex's format that makes the browser log the problem to its console."""
    words = json.dumps(f"The server refused an event: {problem}")
    event = {"name": "_call_function", "payload": {"function": f"() => console.error({words})"}}
    return "42/_event," + json.dumps(["event", {"delta": {}, "events": [event]}])


def _tokens(scope: Scope) -> list[str]:
    return parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
