"""The line to the provider: one request, one answer, within bounds; whatever goes wrong is one error, logged once."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import httpx
import structlog
from pydantic import BaseModel, ValidationError

from site_app.contracts.answer import Refused
from site_app.i18n import current
from site_app.provider.failure import ProviderError

CONNECT_SECONDS, TOTAL_SECONDS, UPLOAD_SECONDS = 1.0, 5.0, 60.0
LARGEST_ANSWER = 1024 * 1024

log = structlog.get_logger()
A = TypeVar("A", bound=BaseModel)
R = TypeVar("R", bound=Refused)


class Relayed(NamedTuple):
    """An answer as it came."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Line:
    """An httpx client, and the name the site goes by."""

    client: httpx.AsyncClient
    key: str

    async def ask(
        self,
        method: str,
        call: str,
        answer: type[A],
        refused: type[R] = Refused,
        *,
        said: BaseModel | None = None,
        query: dict[str, str] | None = None,
        address: str = "",
        stream: AsyncIterator[bytes] | None = None,
        kind: str = "application/json",
    ) -> A | R:
        """The provider's answer, or its refusal in the same typed form; raises ProviderError when there is neither."""
        headers = {"X-API-Key": self.key, "Accept-Language": current().tag, "Accept-Encoding": "identity"}
        if address:
            headers["X-Forwarded-For"] = address
        content = said.model_dump_json(exclude_defaults=True).encode() if said else stream
        if content is not None:
            headers["Content-Type"] = kind
        request = self.client.build_request(method, f"/v1.0/{call}", content=content, params=query, headers=headers)
        try:
            async with asyncio.timeout(UPLOAD_SECONDS if stream else TOTAL_SECONDS):
                status, _, body = await self._exchange(request)
            return (answer if status < 300 else refused).model_validate_json(body)
        except (httpx.HTTPError, TimeoutError, ValidationError, _Nonsense, _Closed) as error:
            log.warning("provider.network_error", call=call.partition("/")[0], error=type(error).__name__)
            raise ProviderError from None

    async def relay(self, method: str, target: str, *, headers: dict[str, str], stream: AsyncIterator[bytes] | None) -> Relayed:
        """Pass a call on as it stands, and the answer to it; where it leads to another page, the browser follows."""
        is_upload = headers.get("content-type", "").startswith("multipart/")
        try:
            # A browser's words may be of an alphabet that httpx would not write into a header.
            said = [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
            plain = (b"Accept-Encoding", b"identity")
            request = self.client.build_request(method, target, content=stream, headers=[*said, plain])
            async with asyncio.timeout(UPLOAD_SECONDS if is_upload else TOTAL_SECONDS):
                return await self._exchange(request, leads_on=True)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, _Nonsense, _Closed) as error:
            log.warning("provider.network_error", call="relay", error=type(error).__name__)
            raise ProviderError from None

    async def _exchange(self, request: httpx.Request, *, leads_on: bool = False) -> Relayed:
        if self.client.is_closed:
            raise _Closed  # at a stop a socket may ask until its end; httpx would say so by a bare RuntimeError
        answer = await self.client.send(request, stream=True)
        try:
            followed = leads_on and answer.status_code == 303 and _stays(answer.headers.get("location", ""))
            if not (200 <= answer.status_code < 300 or 400 <= answer.status_code < 500 or followed):
                raise _Nonsense  # a redirect is not followed: nobody else is told what a visitor said
            if answer.headers.get("content-encoding", "identity") != "identity":
                raise _Nonsense  # not asked for, and a kilobyte can unfold to gigabytes before it is measured
            body = bytearray()
            async for chunk in answer.aiter_bytes():
                body += chunk
                if len(body) > LARGEST_ANSWER:
                    raise _Nonsense
            return Relayed(answer.status_code, answer.headers, bytes(body))
        finally:
            await answer.aclose()


class _Nonsense(Exception):
    pass


class _Closed(Exception):
    pass


def _stays(location: str) -> bool:
    """Whether it is a path on the site that passes it on, and not another host in disguise."""
    return location.startswith("/") and not location.startswith(("//", "/\\"))


def open_client(url: str, transport: httpx.AsyncBaseTransport | None = None) -> httpx.AsyncClient:
    timeout: Any = httpx.Timeout(TOTAL_SECONDS, connect=CONNECT_SECONDS, write=UPLOAD_SECONDS)
    return httpx.AsyncClient(base_url=url, transport=transport, timeout=timeout, follow_redirects=False, trust_env=False)
