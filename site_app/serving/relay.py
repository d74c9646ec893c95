"""Relays a browser's API requests to a remote provider, so that the browser only needs our own origin.

The site itself always answers page views, the visitor's country, and the style and theme of the plain pages.
"""

import asyncio
import re
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from site_app.client import LEADS, OPTIONAL, OPTIONAL_SECONDS, ProviderError, parse_refusal, provider
from site_app.contracts.meeting import BOOKING_CALL, SlotRefused
from site_app.core.http.bodies import cut_off
from site_app.core.http.client_ip import client_ip
from site_app.core.http.languages import language_of
from site_app.core.http.pages import STYLESHEET, THEME
from site_app.core.http.paths import API, is_api
from site_app.core.http.refusals import RETRY_SECONDS, refusal_response
from site_app.core.i18n import t, use
from site_app.core.settings import Settings

_REQUEST_HEADERS = ("content-type", "content-length", "accept-language", "x-api-key")
_RESPONSE_HEADERS = (
    "content-type",
    "content-disposition",
    "content-security-policy",
    "referrer-policy",
    "x-robots-tag",
    "location",
    "retry-after",
    "cache-control",
)
_METHODS = ("GET", "POST", "DELETE")
_NOT_RELAYED = re.compile(rf"{re.escape(API)}/(pageView|visitorCountry)|{re.escape(STYLESHEET)}|{re.escape(THEME)}")
_READY_SECONDS = 2.0  # a load balancer waits 3 s


class Relay:
    """Replaces the API of this process when SITE_PROVIDER_URL names another provider."""

    def __init__(self, settings: Settings, api: Starlette) -> None:
        self._settings = settings
        self._api = api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _NOT_RELAYED.fullmatch(scope["path"]):
            await self._api(scope, receive, send)
        else:
            await (await self._answer(Request(scope, receive)))(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        path = request.scope["path"]
        if path == "/readyz" and request.method in ("GET", "HEAD"):
            return await _ready()
        # dot segments could lead to paths outside the provider's API
        if request.method not in _METHODS or not is_api(path) or not {".", ".."}.isdisjoint(path.split("/")):
            return refusal_response(404, "not_found", t("There is nothing at this address"))
        headers = {name: request.headers[name] for name in _REQUEST_HEADERS if name in request.headers}
        headers["X-Forwarded-For"] = client_ip(request, self._settings)
        # encode again, because a decoded question mark or line break in the path would change the address
        call = path.removeprefix(f"{API}/")
        target = quote(path, safe="/~!$&'()*+,;=:@")
        query_string = request.scope["query_string"].decode("latin-1")
        query = f"?{query_string}" if query_string else ""
        stream = request.stream() if request.method == "POST" else None
        is_optional = call in OPTIONAL.get(request.method, ())
        try:
            async with asyncio.timeout(OPTIONAL_SECONDS if is_optional else None):
                reply = await provider().relay(
                    request.method, target + query, headers=headers, stream=stream, is_lead=call in LEADS
                )
        except (ProviderError, TimeoutError):
            reply = None
        except ClientDisconnect:
            raise cut_off() from None
        if call == "attachments" and reply and reply.status in (404, 405) and await _takes_files(headers):
            return JSONResponse({})
        if is_optional and (reply is None or (reply.status >= 300 and reply.status != 409)):
            return Response(status_code=204)
        if reply is None:
            return refusal_response(503, "unreachable", str(ProviderError()), retry_after=RETRY_SECONDS)
        if call == BOOKING_CALL and reply.status == 409:
            with use(language_of(request)):
                return Response(
                    parse_refusal(SlotRefused, 409, reply.body).model_dump_json(), 409, media_type="application/json"
                )
        response_headers = {name: reply.headers[name] for name in _RESPONSE_HEADERS if name in reply.headers}
        return Response(reply.body, reply.status, response_headers)


async def _takes_files(headers: dict[str, str]) -> bool:
    """Returns True if a provider without file rules supports uploads: it then refuses an empty form as invalid, not as an unknown address."""
    empty_form = {**headers, "content-type": "multipart/form-data; boundary=end", "content-length": "0"}
    try:
        async with asyncio.timeout(OPTIONAL_SECONDS):
            reply = await provider().relay("POST", f"{API}/attachments", headers=empty_form, stream=None)
    except (ProviderError, TimeoutError):
        return False
    return reply.status in (400, 411, 413, 415, 422) or reply.status < 300


async def _ready() -> Response:
    """Returns 200 if the provider is ready, else 503. A provider without /readyz is ready if it replies at all."""
    try:
        async with asyncio.timeout(_READY_SECONDS):
            await provider().relay("GET", "/readyz", headers={}, stream=None)
    except (ProviderError, TimeoutError):
        is_ready = False
    else:
        is_ready = True
    return JSONResponse({"provider": is_ready}, 200 if is_ready else 503, {"Cache-Control": "no-store"})
