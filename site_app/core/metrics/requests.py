"""Measures requests: kind, outcome, duration."""

import re
from time import monotonic

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from site_app.core.http.paths import HEALTH_PATHS, is_api
from site_app.core.metrics import count_request

_FILE = re.compile(r"\.[A-Za-z0-9]{1,11}$")


class RequestMetrics:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = monotonic()
        status = 500  # the visitor's status if no response was started

        async def send_noting_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_noting_status)
        finally:
            count_request(kind_of(scope["path"]), status, monotonic() - began)


def kind_of(path: str) -> str:
    """Returns one of four kinds, whatever the path, so that visitors cannot create metric labels."""
    if path in HEALTH_PATHS:
        return "health"
    if is_api(path):
        return "api"
    return "file" if _FILE.search(path) else "page"
