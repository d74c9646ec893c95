"""Limits on bodies: of requests by size, time, and the number of slow bodies that one network may send at once; of replies by size.

The server does not read ahead of the app, so a request's body refused here stays unread and its connection is closed.
"""

import asyncio
from collections import Counter
from time import monotonic

import httpx
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from site_app.core.business import MAX_FILE_MEGABYTES
from site_app.core.http.client_ip import client_ip, network_of
from site_app.core.http.paths import API
from site_app.core.http.refusals import CallRefused
from site_app.core.i18n import t
from site_app.core.settings import Settings

MAX_BODY_BYTES = 128 * 1024
BODY_TIMEOUT_SECONDS = 10.0  # for a whole body, and for each wait for the next part of a file
MIN_BYTES_PER_SECOND = 16 * 1024  # of a file; a slower one is cut off. A phone on an old network sends twice as fast
MAX_SLOW_BODIES = 16  # bodies of one network that take longer than FAST_BODY_SECONDS
FAST_BODY_SECONDS = 1.0  # nearly every body arrives together with its headers, or right after them
MAX_FILE_BODY_BYTES = MAX_FILE_MEGABYTES * 1024 * 1024 + 16 * 1024  # a file, and the multipart form around it
# A file, the text of an article, and the multipart form around them; the office accepts it only from people who are signed in.
MAX_CONTENT_BODY_BYTES = MAX_FILE_BODY_BYTES + 1024 * 1024
MAX_IMPORT_BODY_BYTES = 1024 * 1024  # of payments that the office imports: 2,000 lines with 500 bytes each
_UPLOAD_PATH = f"{API}/attachments"
IMPORT_PATH = "/office/affiliates"
_CONTENT_PATHS = ("/office/content/", "/office/translations/")
_MAX_SIZE_DIGITS = 15  # of a Content-Length


class Bodies:
    """Wraps apps so that reading a body beyond these limits raises CallRefused in the app."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._slow: Counter[str] = Counter()

    def wrap(self, app: ASGIApp) -> ASGIApp:
        async def bounded(scope: Scope, receive: Receive, send: Send) -> None:
            if not _has_body(scope):
                await app(scope, receive, send)
                return
            network = network_of(client_ip(HTTPConnection(scope), self._settings))
            is_file, max_bytes = _limits_of(scope["path"])
            body = _Body(receive, network, self._slow, is_file=is_file, max_bytes=max_bytes)
            has_response = False

            async def send_and_note(message: Message) -> None:
                nonlocal has_response
                has_response = True
                await send(message)

            try:
                await app(scope, body.receive, send_and_note)
            except CallRefused as refused:  # the app did not handle it
                if has_response:
                    raise
                await refused.response()(scope, receive, send)
            finally:
                body.leave()

        return bounded


class _Body:
    """A body being received. `receive` raises CallRefused once it is too large or too slow, or its network sends too many slow bodies."""

    def __init__(self, receive: Receive, network: str, slow: Counter[str], *, is_file: bool, max_bytes: int) -> None:
        self._receive = receive
        self._network = network
        self._slow = slow
        self._is_file = is_file
        self._max_bytes = max_bytes
        self._began = 0.0
        self._size = 0
        self._is_counted = False
        self._is_complete = False

    async def receive(self) -> Message:
        if self._is_complete:
            return await self._receive()
        self._began = self._began or monotonic()
        message = await self._next()
        if message["type"] != "http.request":
            self._is_complete = True
            return message
        self._size += len(message.get("body", b""))
        if self._size > self._max_bytes:
            raise _too_large()
        self._is_complete = not message.get("more_body", False)
        if self._is_complete:
            self.leave()
        return message

    def leave(self) -> None:
        if self._is_counted:
            self._is_counted = False
            self._slow[self._network] -= 1
            if not self._slow[self._network]:
                del self._slow[self._network]

    async def _next(self) -> Message:
        next_message = asyncio.ensure_future(self._receive())
        try:
            if not self._is_counted:
                await asyncio.wait({next_message}, timeout=self._began + FAST_BODY_SECONDS - monotonic())
                if next_message.done():
                    return next_message.result()
                self._enter()
            await asyncio.wait({next_message}, timeout=self._seconds_left())
            if next_message.done() and self._seconds_left() > 0:
                return next_message.result()
        finally:
            next_message.cancel()
        raise cut_off()

    def _enter(self) -> None:
        if self._slow[self._network] >= MAX_SLOW_BODIES:
            raise CallRefused(429, "too_many", t("Too many requests at once. Please try again in a moment."), retry_after=10)
        self._is_counted = True
        self._slow[self._network] += 1

    def _seconds_left(self) -> float:
        """Returns the seconds left for the next part to arrive."""
        if self._is_file:
            return min(
                BODY_TIMEOUT_SECONDS, self._began + BODY_TIMEOUT_SECONDS + self._size / MIN_BYTES_PER_SECOND - monotonic()
            )
        return self._began + BODY_TIMEOUT_SECONDS - monotonic()


def _limits_of(path: str) -> tuple[bool, int]:
    """Returns whether a body sent to this path may hold a file, which may take longer, and the greatest number of its bytes."""
    if path == _UPLOAD_PATH:
        return True, MAX_FILE_BODY_BYTES
    if path.startswith(_CONTENT_PATHS):
        return True, MAX_CONTENT_BODY_BYTES
    return False, max_form_bytes(path)


def max_form_bytes(path: str) -> int:
    """Returns the greatest number of bytes of a form, without a file, that is sent to this path."""
    return MAX_IMPORT_BODY_BYTES if path == IMPORT_PATH else MAX_BODY_BYTES


def _has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0") for name, value in scope["headers"]
    )


def declared_size(request: Request) -> int | None:
    """Returns the Content-Length, or None if there is none; raises CallRefused if it has more digits than any real size.

    int() raises ValueError for more than 4,300 digits, and servers accept leading zeros.
    """
    declared = request.headers.get("Content-Length", "")
    if len(declared) > _MAX_SIZE_DIGITS:
        raise _too_large()
    return int(declared) if declared.isascii() and declared.isdecimal() else None


async def whole_body(request: Request, largest: int) -> bytes:
    """Returns the body; raises CallRefused if it is larger than `largest`, without buffering it all."""
    if (declared_size(request) or 0) > largest:
        raise _too_large()
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > largest:
                raise _too_large()
    except ClientDisconnect:
        raise cut_off() from None
    return bytes(body)


def _too_large() -> CallRefused:
    return CallRefused(413, "too_large", t("What you sent is too large. Please make it smaller and try again."))


def cut_off() -> CallRefused:
    return CallRefused(400, "cut_off", t("The connection was interrupted. Please send the form again."))


async def reply_body(response: httpx.Response, *, largest: int, refusal: type[Exception]) -> bytes:
    """Reads the body of another server's reply. Raises `refusal` if it is larger than `largest` bytes, or compressed.

    Compression was not requested, and a few kilobytes could expand to gigabytes.
    """
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise refusal("it is compressed")
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > largest:
            raise refusal(f"it is larger than {largest // 2**20} MB")
    return bytes(body)
