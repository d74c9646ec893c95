"""What a visitor's browser asks the provider, passed on to where it is: the browser knows only our own origin."""

import asyncio
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from site_app.api.caller import address_of
from site_app.i18n import t
from site_app.provider import ProviderError, provider
from site_app.settings import Settings
from site_app.web.api_paths import is_api

_ASKED = ("content-type", "content-length", "accept-language", "x-api-key")
_ANSWERED = (
    "content-type",
    "content-disposition",
    "content-security-policy",
    "referrer-policy",
    "x-robots-tag",
    "location",
    "retry-after",
    "etag",
    "cache-control",
)
_METHODS = ("GET", "POST", "DELETE")
_READY_SECONDS = 2.0  # a load balancer waits for 3


class Relay:
    """Stands in for the API of this process when SITE_PROVIDER_URL names another one."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (await self._answer(Request(scope, receive)))(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        path = request.scope["path"]
        if path == "/readyz" and request.method in ("GET", "HEAD"):
            return await _ready()
        if request.method not in _METHODS or not is_api(path):
            return _refusal(404, "not_found", t("There is nothing here"))
        headers = {name: request.headers[name] for name in _ASKED if name in request.headers}
        headers["X-Forwarded-For"] = address_of(request, self._settings)
        # as it was asked: decoded, a question mark or a line break in the path would make another address of it
        target = quote(path, safe="/~!$&'()*+,;=:@")
        asked = request.scope["query_string"].decode("latin-1")
        query = f"?{asked}" if asked else ""
        stream = request.stream() if request.method == "POST" else None
        try:
            told = await provider().relay(request.method, target + query, headers=headers, stream=stream)
        except ProviderError as error:
            return _refusal(503, "unreachable", str(error))
        passed = {name: told.headers[name] for name in _ANSWERED if name in told.headers}
        return Response(told.body, told.status, passed)


async def _ready() -> Response:
    """200 when the provider says it is ready, else 503; one that knows no such question is ready when it answers at all."""
    try:
        async with asyncio.timeout(_READY_SECONDS):
            await provider().relay("GET", "/readyz", headers={}, stream=None)
    except (ProviderError, TimeoutError):
        is_ready = False
    else:
        is_ready = True
    return JSONResponse({"provider": is_ready}, 200 if is_ready else 503, {"Cache-Control": "no-store"})


def _refusal(status: int, code: str, message: str) -> Response:
    headers = {"Retry-After": "2"} if status == 503 else None
    return JSONResponse({"error": {"code": code, "message": message, "fields": {}}}, status, headers)
