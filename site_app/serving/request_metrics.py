"""ASGI around the whole site that measures requests: of which kind, how they ended, how long each took."""

import re
from time import monotonic

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from site_app.core.http.paths import is_api
from site_app.core.metrics import answered

_HEALTH = ("/healthz", "/readyz")
_FILE = re.compile(r"\.[A-Za-z0-9]{1,11}$")


class RequestMetrics:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = monotonic(), 500  # what a visitor sees where no answer was begun

        async def send_noting_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_noting_status)
        finally:
            answered(kind_of(scope["path"]), status, monotonic() - began)


def kind_of(path: str) -> str:
    """One of four kinds, whatever a visitor asks for."""
    if path in _HEALTH:
        return "health"
    if is_api(path):
        return "api"
    return "file" if _FILE.search(path) else "page"
