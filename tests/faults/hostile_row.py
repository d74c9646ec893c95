"""Row 24: the input that costs each parser most, in the size it takes and far beyond, and how long everybody waits for it."""

import asyncio
import json
import socket
import threading
import time
import uuid
from collections.abc import Callable, Coroutine, Iterator
from typing import Any
from urllib.parse import quote

from tests.browser.server import Site
from tests.builders import affiliate, message
from tests.builders import quote as quote_request
from tests.faults.bystander import Bystander
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial, percentile, tracebacks
from tests.faults.wire import Refused, Wire, on_the_wire, packet

MOST_MS, MOST_OTHERS_MS = 50, 100
# The least of them counts: a busy machine makes a try slower and never quicker. What costs too much itself does so in each.
_TRIES, _MOST_TRIES = 3, 12
_JSON, _FORM = "application/json", "application/x-www-form-urlencoded"
_PATTERNS = {
    "marks": "\u0301\u0323", "marks of many classes": "\u0345\u035c\u0301\u031b\u0323\u0327", "signs of two marks": "\u0f73\u0f71",
    "letters that unfold": "\ufdfa", "digits": "12 x1,;#", "points": "ü.", "blanks": "\u2003 ", "quotes": '"\\;',
}  # fmt: skip
_SIZES = (250, 5_000, 20_000, 62_000)
_SUBMIT = on_the_wire("site_app.forms.state.MessageState.submit")
Input = tuple[str, bytes]


async def hostile_input(trial: Trial) -> Verdict:
    site = trial.site()
    inputs = [*_requests(site.port, 4 if trial.short else 1)]
    frames = [*_frames()][:: 4 if trial.short else 1]
    longest: dict[str, float] = {}
    async with Bystander(site) as bystander:
        with Watch(site.port) as watch:
            for name, head_and_body in inputs:
                longest[name] = await _least(watch, lambda whole=head_and_body: _send(site, whole))
            for name, frame in frames:
                longest[name] = await _least(watch, lambda frame=frame: _say(site, frame))
    p95 = percentile(bystander.took) * 1000
    worst, blocked = max(longest.items(), key=lambda one: one[1])
    broken = tracebacks(site)
    return Verdict(
        blocked <= MOST_MS and p95 <= MOST_OTHERS_MS and broken == 0,
        f"{len(inputs)} requests and {len(frames)} frames: the longest wait beside one of them {blocked:.0f} ms ({worst}), "
        f"others' p95 {p95:.0f} ms, {broken} tracebacks",
    )


class Watch:
    """Asks for /healthz without a pause in a thread of its own: its answer takes as long as the event loop is blocked."""

    def __init__(self, port: int) -> None:
        self._port, self._ended = port, threading.Event()
        self._took: list[tuple[float, float]] = []
        self._thread = threading.Thread(target=self._ask)

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended.set()
        self._thread.join()

    async def longest_during(self, attack: Coroutine[Any, Any, None]) -> float:
        """Milliseconds of the slowest answer that was asked for while this ran."""
        began = time.perf_counter()
        await attack
        await asyncio.sleep(0.03)
        return max((took for at, took in self._took if at + took >= began), default=0.0) * 1000

    def _ask(self) -> None:
        asked = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n".encode()
        with socket.create_connection(("127.0.0.1", self._port), timeout=30) as line:
            while not self._ended.is_set():
                began = time.perf_counter()
                line.sendall(asked)
                while not line.recv(4096).endswith(b"alive\n"):
                    pass
                self._took.append((began, time.perf_counter() - began))
                time.sleep(0.002)


async def _least(watch: Watch, attack: Callable[[], Coroutine[Any, Any, None]]) -> float:
    """The least wait beside some tries of an attack; one that seems too long is tried more often."""
    waits = [await watch.longest_during(attack()) for _ in range(_TRIES)]
    while min(waits) > MOST_MS and len(waits) < _MOST_TRIES:
        waits.append(await watch.longest_during(attack()))
    return min(waits)


def _requests(port: int, step: int) -> Iterator[Input]:
    """Whole requests by name; `step` leaves some of the many texts out."""
    texts = [(f"{name} × {size}", (text * size)[:size]) for name, text in _PATTERNS.items() for size in _SIZES]
    forms = {"sendMessage": message, "requestQuote": quote_request, "submitAffiliateRequest": affiliate}
    for name, text in texts[::step]:
        for call, build in forms.items():
            said = build()
            everywhere = said | {field: text for field, value in said.items() if isinstance(value, str) and field != "key"}
            yield f"{call}, {name}", _post(port, f"/v1.0/{call}", _JSON, json.dumps(everywhere, ensure_ascii=False).encode())
        yield f"a lead of {name}", _post(port, "/v1.0/sendMessage", _JSON, json.dumps(message(message=text)).encode())
        typed = "&".join(f"{field}={quote(text)[:15_000]}" for field in ("full_name", "email", "phone", "subject", "message"))
        for page in (
            "/contact-us",
            "/th/contact-us?language=th",
            "/book",
            f"/book/{uuid.uuid4()}",
            "/meetings/x/move",
            "/confirm/x",
        ):
            yield f"{page}, {name}", _post(port, page, _FORM, typed.encode())
        view = {"path": "/faq", "route": "/faq", "referrer": f"https://{text[:1900]}/"}
        yield f"a page view, {name}", _post(port, "/insights/view", _JSON, json.dumps(view, ensure_ascii=False).encode())
        disposition = f'Content-Disposition: form-data; name="file"; filename="{text}.txt"\r\n\r\nx\r\n--x--\r\n'
        yield f"a file's name, {name}", _post(port, "/v1.0/attachments", _BOUNDARY, b"--x\r\n" + disposition.encode())
    yield from _odd_bodies(port)
    yield from _odd_heads(port)


_BOUNDARY = "multipart/form-data; boundary=x"


def _odd_bodies(port: int) -> Iterator[Input]:
    size = 124_000
    bodies = {
        "deep": b"[" * size,
        "deep objects": b'{"a":' * (size // 5),
        "a number": b'{"subject":' + b"9" * size + b"}",
        "keys": b"{" + b",".join(b'"%x":1' % number for number in range(size // 9)) + b"}",
        "items": b'{"services":[' + b'"a",' * (size // 4) + b'"a"]}',
        "too large": b"[" * 2_000_000,
    }
    for name, body in bodies.items():
        for call in ("requestQuote", "bookMeeting", "meetingSlots", "releaseHold"):
            yield f"{call}, {name}", _post(port, f"/v1.0/{call}", _JSON, body)
    for name, body in {"fields": b"a&" * (size // 2), "percents": b"a=" + b"%cc%81" * (size // 6)}.items():
        yield f"a form, {name}", _post(port, "/contact-us", _FORM, body)
    parts = {
        "no part": b"\r\n" * 500_000,
        "headers": b"--x\r\n" + b"a:b\r\n" * 20_000,
        "semicolons": b'--x\r\nContent-Disposition: form-data; name="' + b";" * 50_000,
        "near misses": b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n' + b"\r\n--y" * 400_000,
        "an end without an end": b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx\r\n--x--'
        + b"\r\n" * 9**6,
    }
    for name, body in parts.items():
        yield f"multipart, {name}", _post(port, "/v1.0/attachments", _BOUNDARY, body)


def _odd_heads(port: int) -> Iterator[Input]:
    for size in (4_000, 14_000, 60_000):
        for pattern in (";", '\\"', "a; ", ",", "th,", "127.0.0.1,", "lang=th; ", "bytes=0-0,2-2,", " "):
            text = (pattern * size)[:size]
            for header in (
                "Cookie",
                "Accept-Language",
                "X-Forwarded-For",
                "Range",
                "Accept-Encoding",
                "Referer",
                "If-None-Match",
            ):
                yield (
                    f"{header}, {pattern!r} × {size}",
                    _get(port, "/icons/favicon.svg" if header == "Range" else "/faq", f"{header}: {text}"),
                )
            yield (
                f"Content-Type, {pattern!r} × {size}",
                _post(port, "/v1.0/attachments", f'multipart/form-data; a="{text}', b"x"),
            )
        for path in (
            "/" + "a/" * (size // 2),
            "/book?" + "a&" * (size // 2),
            "/" + "%cc%81" * (size // 6),
            "/book/" + "." * size,
        ):
            yield f"{path[:8]} × {size}", _get(port, path)
        yield f"a host × {size}", _get(port, "/", f"X-Host: {':1' * (size // 2)}")
    yield "a token", _get(port, "/confirm/" + "a.b." * 200)


def _frames() -> Iterator[tuple[str, str]]:
    for name, pattern in _PATTERNS.items():
        for size in (5_000, 20_000, 62_000):
            text = pattern * size
            while len(text.encode()) > size:
                text = text[: max(1, len(text) * size // len(text.encode()))]
            said = {field: text[: len(text) // 4] for field in ("full_name", "email", "phone", "message")}
            for told in (said, message() | {"message": text}, message() | {"phone": text}):
                yield f"a frame, {name} × {size}", packet(_SUBMIT, {"said": told, "key": str(uuid.uuid4()), "attempt": 1})
    yield "a frame, deep", "42/_event," + "[" * 60_000
    yield "a frame, keys", "42/_event,{" + ",".join(f'"{number:x}":1' for number in range(6_500)) + "}"


def _post(port: int, path: str, kind: str, body: bytes) -> bytes:
    return _head(port, "POST", path, f"Content-Type: {kind}\r\nContent-Length: {len(body)}") + body


def _get(port: int, path: str, header: str = "X-Nothing: 1") -> bytes:
    return _head(port, "GET", path, header)


def _head(port: int, method: str, path: str, more: str) -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-API-Key: website\r\nConnection: close\r\n{more}\r\n\r\n"
    return head.encode("utf-8")


async def _send(site: Site, whole: bytes) -> None:
    """Send it and hear the answer out; one that is refused early may break the line off."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    try:
        async with asyncio.timeout(30):
            writer.write(whole)
            await writer.drain()
            await reader.read()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def _say(site: Site, frame: str) -> None:
    try:
        wire = await Wire(site).connect()
        wire.send(frame)
        await wire.round_trip()
        await asyncio.sleep(0.1)  # the form's handler runs beside the ping
        wire.close()
    except (Refused, TimeoutError):
        pass
