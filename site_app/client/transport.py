"""The connection to the provider. It limits requests in time and size; every failure raises ProviderError and is logged once."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, NamedTuple, TypeVar

import httpx
import structlog
from pydantic import BaseModel, ValidationError

from site_app.contracts.reply import Refused
from site_app.core.http.bodies import reply_body
from site_app.core.http.paths import API
from site_app.core.i18n import current

CONNECT_SECONDS = 1.0
TOTAL_SECONDS = 5.0
UPLOAD_SECONDS = 60.0
OPTIONAL_SECONDS = 1.5  # for an optional call; short, because a visitor waits for it
BODY_SECONDS = 1.5  # for the body of a reply whose status is enough
MAX_REPLY_BYTES = 1024 * 1024

log = structlog.get_logger()
ReplyT = TypeVar("ReplyT", bound=BaseModel)
RefusedT = TypeVar("RefusedT", bound=Refused)


class ProviderError(Exception):
    """The provider cannot be reached, or its reply is unusable. The message is the text shown to visitors."""

    def __init__(self) -> None:
        super().__init__("Network Error")


class RawReply(NamedTuple):
    """Status, headers and body of a reply of the provider, not yet parsed."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class ProviderConnection:
    """A connection to the provider at this URL. `key` is the site's API key."""

    def __init__(self, url: str, key: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        timeout: Any = httpx.Timeout(TOTAL_SECONDS, connect=CONNECT_SECONDS, write=UPLOAD_SECONDS)
        self._client = httpx.AsyncClient(base_url=url, transport=transport, timeout=timeout, trust_env=False)
        self._key = key
        self._unanswered: set[str] = set()  # optional calls without a reply, each logged once

    async def close(self) -> None:
        await self._client.aclose()

    async def _ask(self, method: str, call: str, reply: type[ReplyT], **payload: Any) -> ReplyT | Refused:
        """Returns the provider's reply or its refusal as a model. Raises ProviderError if there is neither."""
        with as_provider_error(call):
            status, _, body = await self._send(method, call, **payload)
            return (reply if status < 300 else Refused).model_validate_json(body)

    async def _ask_optional(
        self, method: str, call: str, reply: type[ReplyT], refused: type[RefusedT] = Refused, **payload: Any
    ) -> ReplyT | RefusedT | None:
        """Does the same for an optional call, with a short timeout. Returns None if there is no reply.

        Only a conflict (409) is returned as a refusal; other errors such as 404 and 429 count as no reply.
        """
        try:
            async with asyncio.timeout(OPTIONAL_SECONDS):
                status, _, body = await self._send(method, call, **payload)
            if status < 300 or status == HTTPStatus.CONFLICT:
                return (reply if status < 300 else refused).model_validate_json(body)
        except _FAILURES:
            pass
        if call not in self._unanswered:
            self._unanswered.add(call)
            log.info("provider.optional_call_missing", call=call)
        return None

    async def relay(
        self,
        method: str,
        target: str,
        *,
        headers: dict[str, str],
        stream: AsyncIterator[bytes] | None,
        is_lead: bool = False,
    ) -> RawReply:
        """Passes a request and its reply on unchanged. A redirect within the provider is left to the browser."""
        is_upload = headers.get("content-type", "").startswith("multipart/")
        with as_provider_error("relay"):
            # httpx rejects non-ASCII characters in header values
            encoded = [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
            plain = (b"Accept-Encoding", b"identity")
            request = self._client.build_request(method, target, content=stream, headers=[*encoded, plain])
            async with asyncio.timeout(UPLOAD_SECONDS if is_upload else TOTAL_SECONDS):
                return await self._exchange(request, may_redirect=True, is_lead=is_lead)

    async def _send(
        self,
        method: str,
        call: str,
        *,
        payload: BaseModel | Mapping[str, Any] | None = None,
        query: dict[str, str] | None = None,
        client_ip: str = "",
        is_lead: bool = False,
    ) -> RawReply:
        headers = {"X-API-Key": self._key, "Accept-Language": current().tag, "Accept-Encoding": "identity"}
        if client_ip:
            headers["X-Forwarded-For"] = client_ip
        content = _json_bytes(payload) if payload is not None else None
        if content is not None:
            headers["Content-Type"] = "application/json"
        request = self._client.build_request(method, f"{API}/{call}", content=content, params=query, headers=headers)
        async with asyncio.timeout(TOTAL_SECONDS):
            return await self._exchange(request, is_lead=is_lead)

    async def _exchange(self, request: httpx.Request, *, may_redirect: bool = False, is_lead: bool = False) -> RawReply:
        if self._client.is_closed:
            raise _Closed  # requests may still come during a shutdown; httpx would raise a bare RuntimeError
        response = await self._client.send(request, stream=True)
        try:
            is_kept = may_redirect and response.status_code == 303 and _is_local(response.headers.get("location", ""))
            if not (200 <= response.status_code < 300 or 400 <= response.status_code < 500 or is_kept):
                raise _UnusableReply  # redirects are not followed, so that visitor data goes to nobody else
            body = await (_body_or_nothing(response) if is_lead and response.is_success else _body(response))
            return RawReply(response.status_code, response.headers, body)
        finally:
            await response.aclose()


def _json_bytes(payload: BaseModel | Mapping[str, Any]) -> bytes:
    """Returns the payload as JSON. A mapping is encoded in ASCII, so that the provider can refuse a lone surrogate, which UTF-8 cannot hold."""
    return (
        payload.model_dump_json(exclude_defaults=True).encode()
        if isinstance(payload, BaseModel)
        else json.dumps(dict(payload)).encode()
    )


async def _body(response: httpx.Response) -> bytes:
    return await reply_body(response, largest=MAX_REPLY_BYTES, refusal=_UnusableReply)


async def _body_or_nothing(response: httpx.Response) -> bytes:
    """Returns the body, or b"" if it is unusable: an accepted lead must not be sent again because of a broken reply."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _body(response)
    except (httpx.HTTPError, TimeoutError, _UnusableReply):
        return b""


class _UnusableReply(Exception):
    pass


class _Closed(Exception):
    pass


_FAILURES = (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValidationError, _UnusableReply, _Closed)


@contextmanager
def as_provider_error(call: str) -> Iterator[None]:
    """Raises every failure as ProviderError, and logs it once."""
    try:
        yield
    except _FAILURES as error:
        log.warning("provider.network_error", call=call, error=type(error).__name__)
        raise ProviderError from None


def _is_local(location: str) -> bool:
    """Returns True for a path that browsers do not interpret as another host."""
    return location.startswith("/") and not location.startswith(("//", "/\\"))
