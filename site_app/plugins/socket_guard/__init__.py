"""A guard in front of Reflex's socket: limits which events a browser may send, how many and how large. See README.md.

Checks who opens a socket and every frame that comes through it, and closes it on a violation. Limits how much one socket may send, and
how many sockets one address may have. Keeps the states of the visitors who left last, so that they can return. Independent of this
site: may import Reflex and Starlette; imports nothing else of this project.
"""

import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from urllib.parse import parse_qs

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import BaseStateToken
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from site_app.plugins.socket_guard.events import EventTable, PayloadRefused, UncheckableEvent, check_handlers
from site_app.plugins.socket_guard.frames import FrameRefused, Frames, GuardedSocket, UnfinishedMessages

MonotonicClock = Callable[[], float]


class Rate:
    """A rate limit with a burst, by the generic cell rate algorithm, which stores a single number."""

    __slots__ = ("_clock", "_free_at", "_span", "_step")

    def __init__(self, per_second: float, burst: int, clock: MonotonicClock = monotonic) -> None:
        self._clock = clock
        self._step = 1 / per_second
        self._span = (burst - 1) * self._step
        self._free_at = clock()

    def take(self) -> bool:
        """Counts one event and returns True, or returns False without counting if the limit is reached."""
        now = self._clock()
        free_at = max(self._free_at, now)
        if free_at - now > self._span:
            return False
        self._free_at = free_at + self._step
        return True

    @property
    def is_idle(self) -> bool:
        """True if the whole burst is available again, so that the rate can be dropped."""
        return self._free_at <= self._clock()


class OpenSockets:
    """Counts the open sockets by network."""

    SWEEP_AT = 4096  # addresses remembered before the idle ones are dropped

    def __init__(self, *, each: int, total: int, arrivals: int, burst: int, clock: MonotonicClock = monotonic) -> None:
        self._each = each
        self._total = total
        self._arrivals = arrivals
        self._burst = burst
        self._clock = clock
        self._open: dict[str, int] = {}
        self._rates: dict[str, Rate] = {}
        self._sweep_at = self.SWEEP_AT
        self.count = 0

    def enter(self, address: str) -> str:
        """Counts a new socket and returns "", or returns the limit that it exceeds."""
        if self.count >= self._total:
            return "too many sockets"
        if self._open.get(address, 0) >= self._each:
            return "too many sockets of one address"
        if not self._rate(address).take():
            return "too many new sockets of one address"
        self._open[address] = self._open.get(address, 0) + 1
        self.count += 1
        return ""

    def leave(self, address: str) -> None:
        self.count -= 1
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def _rate(self, address: str) -> Rate:
        if address not in self._rates:
            if len(self._rates) >= self._sweep_at:
                self._rates = {network: rate for network, rate in self._rates.items() if not rate.is_idle}
                self._sweep_at = max(self.SWEEP_AT, 2 * len(self._rates))  # do not sweep again at once after dropping little
            self._rates[address] = Rate(self._arrivals, self._burst, self._clock)
        return self._rates[address]


MAX_STATES = 1000  # states of 20 kB each
_CHECK_EVERY_DEPARTURES = 256


class DisconnectedSessions:
    """The tokens of visitors who have left, oldest first. When there are too many, forgets the states of the oldest.

    Only works for an app that keeps states in this process's memory: in Redis they expire by themselves.
    """

    def __init__(self, app: rx.App, *, max_states: int = MAX_STATES, check_every: int = _CHECK_EVERY_DEPARTURES) -> None:
        self._app = app
        self._max_states = max_states
        self._check_every = check_every
        self._open: Counter[str] = Counter()
        self._departed: dict[str, None] = {}
        self._closings = 0

    def socket_opened(self, token: str) -> None:
        self._open[token] += 1
        self._departed.pop(token, None)

    def socket_closed(self, token: str) -> None:
        """Called when a socket of the token closes; the visitor has left if it was the last one."""
        self._open[token] -= 1
        if self._open[token]:
            return
        del self._open[token]
        self._departed[token] = None
        self._closings += 1
        if self._closings % self._check_every == 0:
            # Also count states whose token never closed a socket: recreated by an event that ended late, or under a token that Reflex assigned.
            self._departed |= dict.fromkeys(
                idle_token for idle_token in self.idle() if idle_token not in self._open and idle_token not in self._departed
            )
        while len(self._departed) > self._max_states:
            oldest = next(iter(self._departed))
            del self._departed[oldest]
            self.forget(oldest)

    def idle(self) -> list[str]:
        """Returns the tokens that have a state and no socket."""
        manager = self._app.state_manager
        sockets = self._app.event_namespace
        used = sockets.token_to_sid if sockets else {}
        return [token for token in manager.states if token not in used] if isinstance(manager, StateManagerMemory) else []

    def forget(self, token: str) -> None:
        """Removes a token's state, lock and expiry time, unless one of its events is being handled."""
        manager = self._app.state_manager
        if not isinstance(manager, StateManagerMemory):
            return
        lock = manager._states_locks.get(token)
        if lock is None or not lock.locked():
            # The manager calls this for expired states: it also removes the lock and the expiry time, and unlinks the tree of substates.
            manager._purge_token(BaseStateToken(ident=token, cls=rx.State))


_PATHS = ("/_event", "/_event/")
_TOKEN = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_DEVELOPMENT_TOKEN = re.compile(r"[0-9a-f-]{36}")  # Reflex's own browser code makes tokens that are not valid UUIDs
_KEPT_HEADERS = frozenset({b"host", b"origin", b"connection", b"upgrade"})
_HANDSHAKE = b"sec-websocket-"
_POLICY_VIOLATION = 1008
_BURST = 3  # seconds' worth of events at once
_ARRIVAL_BURST = 20  # seconds' worth of new sockets at once


@dataclass(frozen=True)
class SocketLimits:
    """The limits of the guard. A network is the result of `network_of` for an address."""

    sockets: int = 20  # of one network, at once
    all_sockets: int = 2000  # of all, at once
    arrivals: int = 2  # new sockets a second of one network
    events: int = 20  # a second of one socket


class GuardObserver:
    """Receives the guard's actions. The text of a refusal is a constant of the code and repeats nothing that was sent."""

    def refused(self, problem: str) -> None: ...

    def socket_opened(self) -> None: ...

    def socket_closed(self) -> None: ...


def _client(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


class SocketGuard:
    """ASGI middleware before Reflex's backend. Requests pass; the frames of a socket are checked, and the first wrong one closes it.

    An event whose payload has the wrong types is dropped, and the socket stays open. `address_of` returns the visitor's address behind
    any proxies, and `network_of` the network of that address. With `reports`, for development, the browser's console names each refused
    event, and no event closes the socket. With `origins=None` the caller of the guard must have checked the origin.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        events: EventTable,
        origins: Collection[str] | None,
        limits: SocketLimits | None = None,
        address_of: Callable[[HTTPConnection], str] = _client,
        network_of: Callable[[str], str] = str,
        observer: GuardObserver | None = None,
        disconnected: DisconnectedSessions | None = None,
        reports: bool = False,
    ) -> None:
        self._app = app
        self._events = events
        self._limits = limits = limits or SocketLimits()
        self._address_of = address_of
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
        address = self._address_of(HTTPConnection(scope))
        network = self._network_of(address)
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
            scope["client"], scope["headers"] = (address, 0), headers  # in place: a copy would live as long as the socket
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
                    with suppress(OSError, RuntimeError):  # the socket may be gone already
                        if self._reports:
                            await send({"type": "websocket.send", "text": _console_message(str(refused))})
                        elif isinstance(refused, FrameRefused):
                            is_cut = True
                            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            return {"type": "websocket.disconnect", "code": _POLICY_VIOLATION}

        async def send_unless_cut(message: Message) -> None:
            if not is_cut:
                await send(message)

        return self._app(scope, receive_checked, send_unless_cut)


def _console_message(problem: str) -> str:
    """Returns a frame in Reflex's format that makes the browser log the problem to its console."""
    words = json.dumps(f"The server refused an event: {problem}")
    event = {"name": "_call_function", "payload": {"function": f"() => console.error({words})"}}
    return "42/_event," + json.dumps(["event", {"delta": {}, "events": [event]}])


def _tokens(scope: Scope) -> list[str]:
    return parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
