"""Each parser's costliest input, at its limit and far beyond, and the delay for everybody else."""

import asyncio
import json
import socket
import threading
import time
import uuid
from collections.abc import Callable, Coroutine, Iterator
from typing import Any
from urllib.parse import quote

from tests.support.builders import SUBMISSIONS, message
from tests.support.hostile_input import BODIES, FRAMES, HEADERS, MAX_MS, TEXTS, repeated
from tests.support.site_server import Site
from tests.trials.attacks.bystander import Bystander
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, percentile, tracebacks
from tests.trials.lab.wire import Refused, Wire, on_the_wire, packet

MAX_OTHERS_MS = 100
# The minimum counts: a busy machine makes a try slower and never quicker, and input that is too costly is slow in each.
_TRIES, _MAX_TRIES = 3, 12
_JSON, _FORM, _FILE = "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"
_SUBMIT = on_the_wire("site_app.forms.form.MessageState.submit")
_CALLS = [call for call in SUBMISSIONS if call != "bookMeeting"]
_PAGES = ("/contact-us", "/th/contact-us?language=th", "/book", f"/book/{uuid.uuid4()}", "/meetings/x/move", "/confirm/x")
_HEADERS = ("Cookie", "Accept-Language", "X-Forwarded-For", "Range", "Accept-Encoding", "Referer", "If-None-Match")


async def hostile_input(trial: Trial) -> Verdict:
    site = trial.site()
    step = 8 if trial.short else 1
    requests, frames = [*_requests(site.port)][::step], [*_frames()][::step]
    longest: dict[str, float] = {}
    async with Bystander(site) as bystander:
        with Watch(site.port) as watch:
            for name, payload in requests:
                longest[name] = await _least(watch, lambda payload=payload: _send(site, payload))
            for name, frame in frames:
                longest[name] = await _least(watch, lambda frame=frame: _send_frame(site, frame))
    p95 = percentile(bystander.seconds) * 1000
    worst, blocked = max(longest.items(), key=lambda entry: entry[1])
    broken = tracebacks(site)
    return Verdict(
        blocked <= MAX_MS and p95 <= MAX_OTHERS_MS and broken == 0,
        f"{len(requests)} requests and {len(frames)} frames: the longest wait beside one of them {blocked:.0f} ms ({worst}), "
        f"others' p95 {p95:.0f} ms, {broken} tracebacks",
    )


class Watch:
    """Requests /healthz continuously from a thread; the response takes as long as the event loop is blocked."""

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
        """Returns the milliseconds of the slowest response requested meanwhile."""
        began = time.perf_counter()
        await attack
        await asyncio.sleep(0.03)
        return max((took for at, took in self._took if at + took >= began), default=0.0) * 1000

    def _ask(self) -> None:
        request = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n".encode()
        with socket.create_connection(("127.0.0.1", self._port), timeout=30) as line:
            while not self._ended.is_set():
                began = time.perf_counter()
                line.sendall(request)
                while not line.recv(4096).endswith(b"alive\n"):
                    pass
                self._took.append((began, time.perf_counter() - began))
                time.sleep(0.002)


async def _least(watch: Watch, attack: Callable[[], Coroutine[Any, Any, None]]) -> float:
    """Returns the shortest delay in several tries of an attack; one that seems too long is tried more often."""
    waits = [await watch.longest_during(attack()) for _ in range(_TRIES)]
    while min(waits) > MAX_MS and len(waits) < _MAX_TRIES:
        waits.append(await watch.longest_during(attack()))
    return min(waits)


def _requests(port: int) -> Iterator[tuple[str, bytes]]:
    """Returns whole requests by name: a text in every field, file name and page view; odd bodies, parts, heads and paths."""

    def post(path: str, kind: str, body: bytes) -> bytes:
        return _head(port, "POST", path, f"Content-Type: {kind}\r\nContent-Length: {len(body)}") + body

    for name, pattern in TEXTS.items():
        for size in (250, 5_000, 20_000):
            text, title = repeated(pattern, size), f"{name} × {size}"
            for call in _CALLS:
                texts = {
                    field: text if isinstance(value, str) and field != "key" else value
                    for field, value in SUBMISSIONS[call][1]().items()
                }
                yield f"{call}, {title}", post(f"/v1.0/{call}", _JSON, json.dumps(texts, ensure_ascii=False).encode())
            yield f"a lead of {title}", post("/v1.0/sendMessage", _JSON, json.dumps(message(message=text)).encode())
            typed = "&".join(
                f"{field}={quote(text)[:15_000]}" for field in ("full_name", "email", "phone", "subject", "message")
            )
            for page in _PAGES:
                yield f"{page}, {title}", post(page, _FORM, typed.encode())
            view = {"path": "/faq", "route": "/faq", "referrer": f"https://{text[:1900]}/"}
            yield f"a page view, {title}", post("/v1.0/pageView", _JSON, json.dumps(view, ensure_ascii=False).encode())
            part = f'--x\r\nContent-Disposition: form-data; name="file"; filename="{text}.txt"\r\n\r\nx\r\n--x--\r\n'
            yield f"a file's name, {title}", post("/v1.0/attachments", _FILE, part.encode())
    for name, body in BODIES.items():
        for call in ("requestQuote", "bookMeeting", "meetingSlots", "releaseHold"):
            yield f"{call}, {name}", post(f"/v1.0/{call}", _JSON, body.encode())
    for name, fields in {"fields": b"a&" * 62_000, "percents": b"a=" + b"%cc%81" * 20_000}.items():
        yield f"a form, {name}", post("/contact-us", _FORM, fields)
    for name, parts in _PARTS.items():
        yield f"multipart, {name}", post("/v1.0/attachments", _FILE, parts)
    for name, pattern in HEADERS.items():
        for size in (4_000, 14_000, 60_000):
            for header in _HEADERS:
                path = "/icons/favicon.svg" if header == "Range" else "/faq"
                yield f"{header}, {name} × {size}", _head(port, "GET", path, f"{header}: {repeated(pattern, size)}")
            yield (
                f"Content-Type, {name} × {size}",
                post("/v1.0/attachments", f'multipart/form-data; a="{repeated(pattern, size)}', b"x"),
            )
    for size in (4_000, 14_000, 60_000):
        for start, pattern in (("/", "a/"), ("/book?", "a&"), ("/", "%cc%81"), ("/book/", "."), ("/confirm/", "a.b.")):
            yield f"{start}{pattern} × {size}", _head(port, "GET", start + repeated(pattern, size))


_FILE_HEAD = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
_PARTS = {
    "no part": b"\r\n" * 500_000,
    "headers": b"--x\r\n" + b"a:b\r\n" * 20_000,
    "semicolons": b'--x\r\nContent-Disposition: form-data; name="' + b";" * 50_000,
    "near misses": _FILE_HEAD + b"\r\n--y" * 400_000,
    "an end without an end": _FILE_HEAD + b"x\r\n--x--" + b"\r\n" * 9**6,
}


def _frames() -> Iterator[tuple[str, str]]:
    for name, pattern in TEXTS.items():
        for size in (5_000, 20_000, 60_000):
            text = repeated(pattern, size).encode()[:size].decode(errors="ignore")
            everywhere = {field: text[: len(text) // 4] for field in ("full_name", "email", "phone", "message")}
            for fields in (everywhere, message(message=text), message(phone=text)):
                yield f"a frame, {name} × {size}", packet(_SUBMIT, {"fields": fields, "key": str(uuid.uuid4()), "attempt": 1})
    for name, frame in FRAMES.items():
        yield f"a frame, {name}", "42/_event," + frame


def _head(port: int, method: str, path: str, header: str = "X-Nothing: 1") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-API-Key: website\r\nConnection: close\r\n{header}\r\n\r\n".encode()


async def _send(site: Site, payload: bytes) -> None:
    """Sends the request and reads the whole response; an early refusal may close the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    try:
        async with asyncio.timeout(30):
            writer.write(payload)
            await writer.drain()
            await reader.read()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def _send_frame(site: Site, frame: str) -> None:
    try:
        wire = await Wire(site).connect()
        wire.send(frame)
        await wire.round_trip()
        await asyncio.sleep(0.1)  # the form's handler runs beside the ping
        wire.close()
    except (Refused, TimeoutError):
        pass
