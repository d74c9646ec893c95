"""Thousands of slow clients; requests, connections and frames that one address begins and never ends."""

import asyncio
import os
import time
import uuid
from contextlib import suppress

from tests.support.site_server import Site
from tests.trials.attacks.bystander import Bystander
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, memory_mb, percentile, tracebacks

_HOST = b"Host: 127.0.0.1\r\nX-API-Key: website\r\n"
_FORM = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 4000\r\n\r\na"
_FILE = b"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 9000000\r\n\r\n"
_KINDS = {
    "nothing said": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ",
    "an idle connection": b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "half a message": b"POST /v1.0/sendMessage HTTP/1.1\r\n"
    + _HOST
    + b"Content-Type: application/json\r\nContent-Length: 4000\r\n\r\n{",
    "a body in chunks": b"POST /v1.0/bookMeeting HTTP/1.1\r\n"
    + _HOST
    + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{",
    "half a form": b"POST /contact-us HTTP/1.1\r\n" + _HOST + _FORM,
    "half a booking": b"POST /book HTTP/1.1\r\n" + _HOST + _FORM,
    "half a page view": b"POST /v1.0/pageView HTTP/1.1\r\n" + _HOST + b"Content-Length: 4000\r\n\r\n{",
    "half a file": b"POST /v1.0/attachments HTTP/1.1\r\n"
    + _HOST
    + _FILE
    + b"--x\r\nContent-Disposition: form-data; name=a; filename=a.txt\r\n\r\nx",
    "a form that never begins": b"POST /v1.0/attachments HTTP/1.1\r\n" + _HOST + _FILE + b"\r\n" * 100,
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\x04" + bytes(5),
    "half of HTTP/2": b"PRI * HTT",
}
_SLOW = ("nothing said", "half a head", "half a message")
_DRIPPED = {"half a head", "half a message", "half a form", "half a file", "a form that never begins"}
_EACH = 170
_CUT_SECONDS, _MEMORY_MB, _P95_MS = 15, 100, 500
_FRAMES_MB = 30  # sent in parts of one message to each of some sockets


async def slow_clients(trial: Trial) -> Verdict:
    """Sends another byte on each connection that has begun a request, every half second or so."""
    each, drips = (300, 3) if trial.short else (1500, 10)
    site = trial.site()
    lines: list[_Line] = []
    async with Bystander(site, "http") as bystander:
        for kind in _SLOW:
            for _ in range(each):
                lines.append(_Line(site, kind))
                await lines[-1].open()
            for _ in range(drips):
                for line in lines:
                    line.drip()
                await asyncio.sleep(0.5)
    for line in lines:
        line.close()
    p95 = percentile(bystander.seconds) * 1000
    return Verdict(
        p95 <= _P95_MS and bystander.refused == 0 and tracebacks(site) == 0,
        f"{each} × {len(_SLOW)} kinds: a page and a lead take p95 {p95:.0f} ms together, {bystander.refused} refused",
    )


async def unfinished(trial: Trial) -> Verdict:
    """Opens 2,000 at once; the long form repeats it, and their memory must be reused."""
    waves = 1 if trial.short else 3
    site = trial.site(limit_sockets="20")
    initial_mb = peak = memory_mb(site)
    lines: list[_Line] = []
    async with Bystander(site, "http") as bystander:
        for _ in range(waves):
            wave = [_Line(site, kind) for kind in _KINDS for _ in range(_EACH)]
            await asyncio.gather(*(line.open() for line in wave))
            deadline = time.monotonic() + _CUT_SECONDS + 5
            while time.monotonic() < deadline and any(line.is_open for line in wave):
                for line in wave:
                    line.drip()
                peak = max(peak, memory_mb(site))
                await asyncio.sleep(0.5)
            lines += wave
        cut = max(line.seconds for line in lines)
        statuses = [await asyncio.gather(*(_endless_message(site) for _ in range(10))) for _ in range(2)]
        peak = max(peak, memory_mb(site))
        refused_head = await _bomb(site)
    p95, grown = percentile(bystander.seconds) * 1000, peak - initial_mb
    sent = max(size for some in statuses for size in some)
    still = sum(line.is_open for line in lines)
    for line in lines:
        line.close()
    met = still == 0 and cut <= _CUT_SECONDS and grown <= _MEMORY_MB and sent < _FRAMES_MB and refused_head
    met = met and p95 <= _P95_MS and bystander.refused == 0 and tracebacks(site) == 0
    return Verdict(
        met,
        f"{waves} × {_EACH * len(_KINDS)} of {len(_KINDS)} kinds: a page and a lead take p95 {p95:.0f} ms together, {bystander.refused} refused; the last was "
        f"cut after {cut:.1f} s, {still} stayed; of {_FRAMES_MB} MB of a message {sent:.0f} MB could be sent at most; a head of 841 kB "
        f"{'was refused' if refused_head else 'was read'}; memory {grown:+.0f} MB",
    )


class _Line:
    """One connection; `seconds` is the time it stayed open."""

    def __init__(self, site: Site, kind: str) -> None:
        self._port, self._kind = site.port, kind
        self.is_open, self.seconds = True, 0.0

    async def open(self) -> None:
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._began = time.monotonic()
        self._writer.write(_KINDS[self._kind])
        self._reading = asyncio.ensure_future(self._until_cut(reader))

    async def _until_cut(self, reader: asyncio.StreamReader) -> None:
        with suppress(ConnectionError):
            while await reader.read(65536):
                pass
        self.is_open, self.seconds = False, time.monotonic() - self._began

    def drip(self) -> None:
        if self._kind in _DRIPPED and self.is_open and not self._writer.is_closing():
            with suppress(ConnectionError):
                self._writer.write(b"x")

    def close(self) -> None:
        self._reading.cancel()
        self._writer.close()


async def _endless_message(site: Site) -> float:
    """Sends one message in frames that never end it; returns the megabytes accepted before the connection was cut."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write(
        f"GET /_event/?token={uuid.uuid4()}&EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n"
        f"Origin: http://127.0.0.1:{site.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    accepted = await reader.readuntil(b"\r\n\r\n")
    sent, part = 0, 2**18
    try:
        async with asyncio.timeout(10):
            while b" 101 " in accepted and sent < _FRAMES_MB * 2**20:
                opcode = b"\x00" if sent else b"\x01"
                writer.write(opcode + b"\xff" + part.to_bytes(8, "big") + bytes(4) + os.urandom(1) * part)
                await writer.drain()
                sent += part
    except (ConnectionError, TimeoutError):
        pass
    finally:
        writer.close()
    return sent / 2**20


async def _bomb(site: Site) -> bool:
    """Returns True if a head of 841 kB is refused before it is read."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    reply = b""
    with suppress(ConnectionError):
        writer.write(
            b"GET / HTTP/1.1\r\n" + _HOST + b"".join(b"X-%d: %b\r\n" % (number, b"a" * 8000) for number in range(105)) + b"\r\n"
        )
        await writer.drain()
        reply = await reader.read()
    writer.close()
    return b" 200 " not in reply
