"""A provider with only the seven calls of R44; each optional call can fail in its own way."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Literal

LEADS = ("requestQuote", "sendMessage", "submitAffiliateRequest", "bookMeeting")
OPTIONAL = {
    "token": ("formToken",),
    "hold": ("holdSlot", "releaseHold"),
    "attachments": ("attachments",),
    "insights": ("pageView",),
    "lookup": ("visitorCountry",),
}
Fault = int | Literal["silent"]
Reply = tuple[int, bytes]
_SILENCE_SECONDS = 60.0
_LISTS = {
    "countries": {"countries": [{"code": "GB", "name": "United Kingdom", "dial_code": "+44", "flag": "/flags/GB.svg"}]},
    "currencies": {"currencies": [{"code": "GBP", "name": "Pound Sterling", "symbol": "£"}]},
}


class StubProvider:
    """`submissions` has the accepted leads by call; `optional_calls` the requested optional calls."""

    def __init__(self) -> None:
        self.submissions: list[tuple[str, dict[str, Any]]] = []
        self.optional_calls: list[str] = []
        self.faults: dict[str, Fault] = {}
        self.reply: Reply = (200, b"{}")  # to every lead
        self.lost_slots: set[str] = set()  # slots taken by other visitors
        self._closing = threading.Event()
        handler = type("Handler", (_Handler,), {"stub": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def misbehaves(self, name: str, fault: Fault) -> None:
        """Lets the optional calls of that name fail this way, instead of with 404."""
        self.faults |= dict.fromkeys(OPTIONAL[name], fault)

    def slots(self) -> list[dict[str, str]]:
        first = datetime.now(UTC).replace(hour=10, minute=0, second=0, microsecond=0) + timedelta(days=2)
        starts = [first + timedelta(days=day, minutes=30 * half) for day in range(3) for half in range(6)]
        return [
            {"id": f"slot/{start:%j-%H%M}", "start": start.isoformat(), "end": (start + timedelta(minutes=30)).isoformat()}
            for start in starts
            if f"slot/{start:%j-%H%M}" not in self.lost_slots
        ]

    def respond(self, call: str, body: bytes) -> Reply | None:
        """Returns the reply; None means that the call is never answered."""
        if call in LEADS:
            payload = json.loads(body)
            if payload.get("slot") in self.lost_slots:
                return 409, b'{"detail": "somebody was faster"}'
            self.submissions.append((call, payload))
            return self.reply
        if call == "meetingSlots":
            return 200, json.dumps({"results": self.slots()}).encode()
        if call in _LISTS:
            return 200, json.dumps(_LISTS[call]).encode()
        self.optional_calls.append(call)
        fault = self.faults.get(call, 404)
        if fault == "silent":
            self._closing.wait(_SILENCE_SECONDS)
            return None
        return fault, b"<h1>no such thing</h1>"

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    stub: ClassVar[StubProvider]

    def do_GET(self) -> None:
        self._respond()

    def do_POST(self) -> None:
        self._respond()

    def _respond(self) -> None:
        path = self.path.partition("?")[0]
        call = path.removeprefix("/v1.0/").strip("/").partition("/")[0]
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = self._chunks()
        reply = self.stub.respond(call, body)
        if reply is None:
            self.close_connection = True
            return
        status, content = reply
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _chunks(self) -> bytes:
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@contextmanager
def stub_provider() -> Iterator[StubProvider]:
    stub = StubProvider()
    try:
        yield stub
    finally:
        stub.close()
