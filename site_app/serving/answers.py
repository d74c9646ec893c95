"""The short answers of the web layer: a redirect, and a line of text."""

from collections.abc import Iterable

from starlette.types import Send

from site_app.serving.headers import NOTHING_ALLOWED, Header


async def redirect(send: Send, status: int, location: str, headers: Iterable[Header]) -> None:
    """Send the browser elsewhere on this site; a location that a browser would read as another host becomes the home page."""
    if not location.startswith("/") or location.startswith(("//", "/\\")):
        location = "/"
    await _send(send, status, b"", (*headers, NOTHING_ALLOWED, (b"location", location.encode("latin-1", "replace"))))


async def plain(send: Send, status: int, text: str, headers: Iterable[Header]) -> None:
    kind = (b"content-type", b"text/plain; charset=utf-8")
    await _send(send, status, text.encode(), (*headers, NOTHING_ALLOWED, kind, (b"cache-control", b"no-store")))


async def _send(send: Send, status: int, body: bytes, headers: Iterable[Header]) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})
