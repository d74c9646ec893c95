"""How a request's body may come: within its time, in its size, and of one network only a few slow ones at once.

The server before this reads nothing ahead, so a body that is refused here stays unread and its connection is closed.
"""

import asyncio
from collections import Counter
from time import monotonic

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from site_app.contracts.attachment import LARGEST
from site_app.http.addresses import address_of, network_of
from site_app.http.refusals import CallRefused
from site_app.i18n import t
from site_app.settings import Settings

LARGEST_BODY = 128 * 1024
LONGEST_SECONDS = 10.0  # a whole body, and any one wait for more of a file
SLOWEST_RATE = 16 * 1024  # bytes a second that a file may take on top of that: a phone on an old network sends twice as many
MOST_SLOW = 16  # bodies of one network that are on their way for longer than the next figure
AT_ONCE_SECONDS = 1.0  # nearly every body comes with its head, or right behind it
_FILES, _LARGEST_FILE_BODY = "/v1.0/attachments", LARGEST + 16 * 1024


class Bodies:
    """Makes apps read their requests' bodies within these bounds; what goes beyond is refused where the app reads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._slow: Counter[str] = Counter()

    def around(self, app: ASGIApp) -> ASGIApp:
        async def bounded(scope: Scope, receive: Receive, send: Send) -> None:
            if not _has_body(scope):
                await app(scope, receive, send)
                return
            network = network_of(address_of(HTTPConnection(scope), self._settings))
            body = _Body(receive, network, self._slow, is_file=scope["path"] == _FILES)
            answering = False

            async def send_noting(message: Message) -> None:
                nonlocal answering
                answering = True
                await send(message)

            try:
                await app(scope, body.receive, send_noting)
            except CallRefused as refused:  # by an app that has no answer of its own
                if answering:
                    raise
                await refused.answer()(scope, receive, send)
            finally:
                body.leave()

        return bounded


class _Body:
    """One body on its way; `receive` raises CallRefused as soon as it is too large, too slow, or one slow one too many."""

    def __init__(self, receive: Receive, network: str, slow: Counter[str], *, is_file: bool) -> None:
        self._receive, self._network, self._slow, self._is_file = receive, network, slow, is_file
        self._began = 0.0
        self._size = 0
        self._counted = self._over = False

    async def receive(self) -> Message:
        if self._over:
            return await self._receive()
        self._began = self._began or monotonic()
        message = await self._next()
        if message["type"] != "http.request":
            self._over = True
            return message
        self._size += len(message.get("body", b""))
        if self._size > (_LARGEST_FILE_BODY if self._is_file else LARGEST_BODY):
            raise _too_large()
        self._over = not message.get("more_body", False)
        if self._over:
            self.leave()
        return message

    def leave(self) -> None:
        if self._counted:
            self._counted = False
            self._slow[self._network] -= 1
            if not self._slow[self._network]:
                del self._slow[self._network]

    async def _next(self) -> Message:
        coming = asyncio.ensure_future(self._receive())
        try:
            if not self._counted:
                await asyncio.wait({coming}, timeout=self._began + AT_ONCE_SECONDS - monotonic())
                if coming.done():
                    return coming.result()
                self._enter()
            await asyncio.wait({coming}, timeout=self._left())
            if coming.done() and self._left() > 0:
                return coming.result()
        finally:
            coming.cancel()
        raise _cut_off()

    def _enter(self) -> None:
        if self._slow[self._network] >= MOST_SLOW:
            raise CallRefused(429, "too_many", t("Too many requests at once. Please try again in a moment."), retry_after=10)
        self._counted = True
        self._slow[self._network] += 1

    def _left(self) -> float:
        """Seconds for the next part to come in."""
        if not self._is_file:
            return self._began + LONGEST_SECONDS - monotonic()
        return min(LONGEST_SECONDS, self._began + LONGEST_SECONDS + self._size / SLOWEST_RATE - monotonic())


def _has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0") for name, value in scope["headers"]
    )


async def whole_body(request: Request, most: int) -> bytes:
    """The body, unless it is larger than that; what is over is not even kept in memory."""
    declared = request.headers.get("Content-Length", "")
    if len(declared) > 15 or (declared.isdecimal() and int(declared) > most):
        raise _too_large()
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise _too_large()
    except ClientDisconnect:
        raise _cut_off() from None
    return bytes(body)


def _too_large() -> CallRefused:
    return CallRefused(413, "too_large", t("This is too large. Please make it smaller and try again."))


def _cut_off() -> CallRefused:
    return CallRefused(400, "cut_off", t("The connection was interrupted. Please send it again."))
