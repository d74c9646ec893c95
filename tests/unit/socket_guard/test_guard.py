"""Admission of sockets, and the closing of those that send invalid frames."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, cast

import anyio
import pytest
import reflex as rx
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from site_app.plugins.socket_guard import DisconnectedSessions, GuardObserver, SocketGuard, SocketLimits
from tests.unit.socket_guard.tables import table

pytestmark = pytest.mark.anyio

TOKEN = "0b5c8e2a-93d4-4c1f-8a67-5e2f1d3c4b5a"
ORIGIN = "http://localhost:3000"
CONNECT = "40/_event,"
PING = '42/_event,["ping"]'


@dataclass
class Reflex:
    """Accepts frames until the socket is closed."""

    scopes: list[Scope] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scopes.append(scope)
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            self.frames.append(message.get("text", "binary"))
        await send({"type": "websocket.send", "text": "bye"})


def scope(**changes: Any) -> Scope:
    headers = changes.pop("headers", [(b"origin", ORIGIN.encode())])
    query = f"token={TOKEN}&EIO=4&transport=websocket".encode()
    return {
        "type": "websocket", "path": "/_event", "query_string": query, "client": ("203.0.113.7", 5), "headers": headers,
    } | changes  # fmt: skip


async def play(guard: SocketGuard, connection: Scope, frames: Iterable[str | bytes] = ()) -> list[Message]:
    """Sends the frames and disconnects; returns the messages that the socket got."""
    kinds = [{"text": frame} if isinstance(frame, str) else {"bytes": frame} for frame in frames]
    coming = iter([{"type": "websocket.connect"}, *({"type": "websocket.receive", **frame} for frame in kinds)])
    sent: list[Message] = []

    async def receive() -> Message:
        return next(coming, {"type": "websocket.disconnect", "code": 1001})

    async def send(message: Message) -> None:
        sent.append(message)

    await guard(connection, receive, send)
    return sent


def take(self: Any, value: int) -> None: ...


def guarded(reflex: ASGIApp, limits: SocketLimits | None = None, **options: Any) -> SocketGuard:
    return SocketGuard(
        reflex, **{"events": table(take=take), "origins": [ORIGIN], "limits": limits or SocketLimits()} | options
    )


REFUSED = [{"type": "websocket.close", "code": 1008}]


async def test_a_browser_of_the_site_is_admitted() -> None:
    reflex = Reflex()

    sent = await play(guarded(reflex), scope(), [CONNECT, PING])

    assert reflex.frames == [CONNECT, PING]
    assert [message["type"] for message in sent] == ["websocket.accept", "websocket.send"]


@pytest.mark.parametrize(
    "origin",
    [
        None, "", "null", "*", "http://localhost", "https://localhost:3000", "http://localhost:3001", "http://LOCALHOST:3000",
        "http://localhost:3000/", "http://localhost:3000.evil.example", "http://evil.example", "http://localhost:3000@evil.example",
        "http://localhost:3000, http://evil.example", " http://localhost:3000", "http://xn--localhost:3000",
        "http://localhost:3000 and http://evil.example",
    ],
)  # fmt: skip
async def test_a_foreign_origin_is_refused(origin: str | None) -> None:
    reflex = Reflex()
    headers = [] if origin is None else [(b"origin", value.encode()) for value in origin.split(" and ")]

    sent = await play(guarded(reflex), scope(headers=headers))

    assert (sent, reflex.scopes) == (REFUSED, [])


@pytest.mark.parametrize(
    "query", ["", "token=", "token=x", f"token={TOKEN}x", f"token={TOKEN}&token={TOKEN}", f"token={TOKEN.upper()}", "token=*"]
)
async def test_a_socket_without_a_proper_token_is_refused(query: str) -> None:
    assert await play(guarded(Reflex()), scope(query_string=query.encode())) == REFUSED


async def test_in_development_reflexs_own_token_is_accepted() -> None:
    token = "d9baa046-ba60-44d0-f601-cd4e252fb693"

    sent = await play(guarded(Reflex(), reports=True), scope(query_string=f"token={token}".encode()))

    assert sent[0] == {"type": "websocket.accept"}
    assert await play(guarded(Reflex()), scope(query_string=f"token={token}".encode())) == REFUSED


async def test_no_other_address_has_a_socket() -> None:
    assert await play(guarded(Reflex()), scope(path="/_upload")) == REFUSED


@pytest.mark.parametrize("bad_frame", ["x", b"x", '42/_event,["connect",{}]', "4" * 70_000])
async def test_a_wrong_frame_closes_the_socket_and_is_not_forwarded(bad_frame: str | bytes) -> None:
    reflex = Reflex()

    sent = await play(guarded(reflex), scope(), [CONNECT, bad_frame, PING])

    assert reflex.frames == [CONNECT]
    assert sent[-1] == REFUSED[0]


GOOD, MISTYPED, UNLISTED = (
    f'42/_event,["event",{{"name":"state.{name}","payload":{{"value":{value}}}}}]'
    for name, value in (("take", 1), ("take", '"x"'), ("gone", 1))
)


async def test_a_mistyped_payload_is_left_out_and_the_socket_stays_open() -> None:
    reflex = Reflex()

    sent = await play(guarded(reflex), scope(), [CONNECT, MISTYPED, GOOD])

    assert reflex.frames == [CONNECT, GOOD]
    assert [message.get("text", "") for message in sent if "console" not in message.get("text", "")] == ["", "bye"]


@pytest.mark.parametrize(
    ("frames", "words", "closes"),
    [
        ([MISTYPED], "another type", False),
        ([UNLISTED], "closed", True),
        ([PING] * 100, "closed", True),
        (['42/_event,["event",' + "4" * 70_000], "closed", True),
    ],
)
async def test_in_production_the_console_says_what_happened_but_names_no_event(
    frames: list[str], words: str, closes: bool
) -> None:
    sent = await play(guarded(Reflex()), scope(), [CONNECT, *frames])

    (said,) = [message["text"] for message in sent if "console.error" in message.get("text", "")]
    assert words in said
    assert "FakeState" not in said
    assert "state." not in said
    assert (REFUSED[0] in sent) == closes


async def test_a_socket_that_never_connected_is_closed_without_words() -> None:
    assert await play(guarded(Reflex()), scope(), ["x"]) == [{"type": "websocket.accept"}, *REFUSED]


async def test_a_browser_that_does_not_read_is_closed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site_app.plugins.socket_guard.guard._SAY_WITHIN_SECONDS", 0.01)
    sent: list[str] = []
    coming = iter(({"type": "websocket.connect"}, *({"type": "websocket.receive", "text": frame} for frame in (CONNECT, "x"))))

    async def receive() -> Message:
        return next(coming)

    async def send(message: Message) -> None:
        if message["type"] == "websocket.send":
            await anyio.sleep_forever()
        sent.append(message["type"])

    await guarded(Reflex())(scope(), receive, send)

    assert sent == ["websocket.accept", "websocket.close"]


async def test_in_development_problems_are_logged_and_the_socket_stays_open() -> None:
    reflex = Reflex()

    sent = await play(guarded(reflex, reports=True), scope(), [CONNECT, MISTYPED, UNLISTED, "x", GOOD])

    assert reflex.frames == [CONNECT, GOOD]
    assert not any(message["type"] == "websocket.close" for message in sent)
    reports = [message["text"] for message in sent if "console.error" in message.get("text", "")]
    assert ["FakeState.take" in reports[0], "unlisted event" in reports[1], "packet" in reports[2]] == [True] * 3


async def test_a_connection_whose_first_event_is_mistyped_is_closed() -> None:
    reflex = Reflex()
    first = '40/_event,{"event":{"name":"state.take","payload":{"value":"x"}}}'

    assert (await play(guarded(reflex), scope(), [first, GOOD]))[-1] == REFUSED[0]
    assert reflex.frames == []


async def test_a_flood_is_cut_after_the_burst() -> None:
    reflex = Reflex()

    sent = await play(guarded(reflex, SocketLimits(events=20)), scope(), [CONNECT, *[PING] * 10_000])

    assert len(reflex.frames) == 60
    assert sent[-1] == REFUSED[0]


async def test_a_networks_sockets_are_limited_and_freed_again() -> None:
    neighbours: list[list[Message]] = []

    async def backend(connection: Scope, receive: Receive, send: Send) -> None:
        if not neighbours:
            neighbours.append(await play(guard, scope(client=("2001:db8:1:ffff::1", 5))))
            neighbours.append(await play(guard, scope(client=("2001:db8:2::1", 5))))
        await send({"type": "websocket.accept"})

    guard = guarded(backend, SocketLimits(sockets=1), network_of=lambda address: address[:10])
    await play(guard, scope(client=("2001:db8:1:2::1", 5)))

    accepted = [{"type": "websocket.accept"}]
    assert neighbours == [REFUSED, accepted]
    assert await play(guard, scope(client=("2001:db8:1:3::1", 5))) == accepted


async def test_a_visitor_has_left_when_their_socket_is_closed() -> None:
    departed: list[str] = []

    class RecordedDepartures(DisconnectedSessions):
        def socket_closed(self, token: str) -> None:
            departed.append(token)

    await play(guarded(Reflex(), disconnected=RecordedDepartures(cast(rx.App, None))), scope(), [CONNECT])

    assert departed == [TOKEN]


async def test_the_address_behind_a_proxy_counts_and_reaches_the_state() -> None:
    reflex = Reflex()
    headers = [(b"origin", ORIGIN.encode()), (b"x-forwarded-for", b"198.51.100.4")]

    behind = guarded(reflex, client_ip=lambda connection: connection.headers["x-forwarded-for"])
    await play(behind, scope(client=("10.0.0.1", 9), headers=headers))
    await play(guarded(reflex), scope(headers=headers))

    assert [entry["client"][0] for entry in reflex.scopes] == ["198.51.100.4", "203.0.113.7"]


async def test_the_state_gets_no_data_about_the_visitor() -> None:
    reflex = Reflex()
    telling = [(b"user-agent", b"x"), (b"cookie", b"x"), (b"accept-language", b"th"), (b"x-forwarded-for", b"6.6.6.6")]
    needed = [(b"host", b"localhost:3000"), (b"origin", ORIGIN.encode()), (b"sec-websocket-key", b"x")]

    await play(guarded(reflex), scope(headers=[*telling, *needed]))

    assert reflex.scopes[0]["headers"] == needed


async def test_the_observer_gets_the_problem_and_never_the_content() -> None:
    events: list[str] = []

    class RecordingObserver(GuardObserver):
        def refused(self, problem: str) -> None:
            events.append(problem)

        def socket_opened(self) -> None:
            events.append("opened")

        def socket_closed(self) -> None:
            events.append("closed")

    await play(guarded(Reflex(), observer=RecordingObserver()), scope(), [CONNECT, "canary"])
    await play(guarded(Reflex(), observer=RecordingObserver()), scope(headers=[(b"origin", b"http://canary.example")]))

    assert events == ["opened", "packet", "closed", "origin"]
