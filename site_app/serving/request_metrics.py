"""ASGI around the whole site: how many requests of which kind, how they ended, and how long each took."""

import re
from time import monotonic

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from site_app.http.paths import is_api
from site_app.metrics import answered

_HEALTH = ("/healthz", "/readyz")
_FILE = re.compile(r"\.[A-Za-z0-9]{1,11}$")


class RequestMetrics:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = monotonic(), 500  # what a visitor sees where nothing was sent

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            answered(kind_of(scope["path"]), status, monotonic() - began)


def kind_of(path: str) -> str:
    """Of a handful of kinds; a visitor can invent no other."""
    if path in _HEALTH:
        return "health"
    if is_api(path):
        return "api"
    return "file" if _FILE.search(path) else "page"
