"""A socket as a browser opens it, and as an attacker would."""

import asyncio
import json
import ssl
import time
import uuid
from typing import Any, Protocol, Self

from reflex_base.utils.format import to_snake_case
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Event, RejectConnection, Request, TextMessage
from wsproto.utilities import RemoteProtocolError

STATE = "reflex___state____state"


def on_the_wire(name: str) -> str:
    """Returns the name by which a browser calls the handler `module.State.handler`."""
    module, state, method = name.rsplit(".", 2)
    if (module, state) == ("reflex.state", "State"):
        return f"{STATE}.{method}"
    return f"{STATE}.{module.replace('.', '___')}____{to_snake_case(state)}.{method}"


HYDRATE = on_the_wire("reflex.state.State.hydrate_and_load")
DIALOG = on_the_wire("site_app.states.dialogs.DialogState.report").rpartition(".")[0]
START = on_the_wire("site_app.states.startup.StartupState.start")
FAQ = on_the_wire("site_app.states.faq.FaqState.report").rpartition(".")[0]


class Refused(Exception):
    """The handshake was refused, or the connection was closed."""


class Listening(Protocol):
    """The site, or a bare server in its place."""

    port: int


class Wire:
    """One connection; `open`, `send`, `receive`, `close`. Engine.IO's pings are answered."""

    def __init__(
        self,
        site: Listening,
        *,
        origin: str | None = "",
        token: str = "",
        host: str = "",
        path: str = "/_event/",
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._port, self._tls = site.port, tls
        self._host = host or f"127.0.0.1:{site.port}"
        self._origin = f"http://127.0.0.1:{site.port}" if origin == "" else origin
        self._path = f"{path}?token={token or uuid.uuid4()}&EIO=4&transport=websocket"
        self._connection = WSConnection(ConnectionType.CLIENT)
        self._writer: asyncio.StreamWriter | None = None
        self._events: list[Event] = []
        self._text = ""

    async def open(self) -> Self:
        name = self._host if self._tls else None
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port, ssl=self._tls, server_hostname=name)
        headers = [] if self._origin is None else [(b"Origin", self._origin.encode())]
        self._write(Request(host=self._host, target=self._path, extra_headers=headers))
        async with asyncio.timeout(20):
            event = await self._next()
        if not isinstance(event, AcceptConnection):
            self.close()
            raise Refused(str(getattr(event, "status_code", "closed")))
        return self

    async def connect(self) -> Self:
        """Opens the connection and sends the pages' greeting."""
        await self.open()
        try:
            self.send(f'40/_event,{{"event":{json.dumps(event(HYDRATE, {"hashes": []}))}}}')
            async with asyncio.timeout(20):
                while not (await self.receive()).startswith("40/_event"):
                    pass
        except (Refused, TimeoutError):
            self.close()
            raise
        return self

    def send(self, text: str) -> None:
        self._write(TextMessage(data=text))

    async def flush(self) -> None:
        if self._writer:
            await self._writer.drain()

    async def receive(self) -> str:
        """Returns the next frame; raises Refused if the connection is closed."""
        while True:
            got = await self._next()
            if isinstance(got, TextMessage):
                self._text += got.data
                if got.message_finished:
                    text, self._text = self._text, ""
                    if text == "2":
                        self.send("3")
                    else:
                        return text
            elif isinstance(got, CloseConnection | RejectConnection):
                self.close()
                raise Refused(str(getattr(got, "code", "closed")))

    async def round_trip(self) -> float:
        """Returns the seconds from a ping to its pong."""
        began = time.perf_counter()
        self.send('42/_event,["ping"]')
        async with asyncio.timeout(20):
            while '"pong"' not in await self.receive():
                pass
        return time.perf_counter() - began

    async def is_closed(self, seconds: float = 10) -> bool:
        try:
            async with asyncio.timeout(seconds):
                while True:
                    await self.receive()
        except Refused:
            return True
        except TimeoutError:
            return False

    def close(self) -> None:
        if self._writer:
            self._writer.close()

    def _write(self, event: Event) -> None:
        if self._writer is None or self._writer.is_closing():
            raise Refused("closed")
        try:
            self._writer.write(self._connection.send(event))
        except RemoteProtocolError as error:
            raise Refused("closed") from error

    async def _next(self) -> Event:
        while not self._events:
            try:
                data = await self._reader.read(65536)
                self._connection.receive_data(data or None)
                self._events = list(self._connection.events())
            except (ConnectionError, RemoteProtocolError) as error:
                raise Refused("closed") from error
            if not data and not self._events:
                raise Refused("closed")
        return self._events.pop(0)


def event(name: str, payload: dict[str, Any] | None = None) -> dict[str, Any]:
    """Encodes as the pages do: empty values are left out."""
    body = {"payload": payload} if payload else {}
    return {"name": name, **body, "router_data": {"pathname": "/", "asPath": "/"}}


def packet(name: str, payload: dict[str, Any] | None = None) -> str:
    return "42/_event," + json.dumps(["event", event(name, payload)], separators=(",", ":"), ensure_ascii=False)
