"""A receiver outside: what is posted to it goes over https, without redirects, and never to an address in a private network."""

import asyncio
import ssl
from collections.abc import Callable, Mapping

import httpx

from site_app.provider.outbox.public_addresses import Address, PublicTransport, Resolve
from site_app.provider.outbox.senders import NotDelivered

_TIMEOUTS = httpx.Timeout(5.0, connect=2.0)
_TOTAL_SECONDS = 8.0


class Receiver:
    """An address to which JSON is posted. The host is looked up each time, and must be public."""

    def __init__(
        self,
        url: str,
        *,
        resolve: Resolve | None = None,
        allowed: Callable[[Address], bool] | None = None,
        trust: ssl.SSLContext | bool = True,
    ) -> None:
        self._url = httpx.URL(url)
        self._transport = lambda: PublicTransport(resolve=resolve, allowed=allowed, trust=trust)

    async def look_up(self) -> None:
        """Raises NotDelivered if the host does not resolve, or resolves to a private address. Sends no request."""
        try:
            async with asyncio.timeout(_TOTAL_SECONDS):
                await self._transport().look_up(self._url)
        except (httpx.HTTPError, OSError, TimeoutError) as error:
            raise NotDelivered(type(error).__name__) from None

    async def post(self, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Posts the body. Raises NotDelivered unless the reply is a 2xx; redirects are not followed."""
        try:
            async with asyncio.timeout(_TOTAL_SECONDS):
                status = await self._post(body, {"Content-Type": "application/json", **(headers or {})})
        except (httpx.HTTPError, OSError, TimeoutError) as error:
            raise NotDelivered(type(error).__name__) from None
        if not 200 <= status < 300:
            raise NotDelivered(f"HTTP {status}")

    async def _post(self, body: bytes, headers: Mapping[str, str]) -> int:
        async with (
            httpx.AsyncClient(transport=self._transport(), timeout=_TIMEOUTS) as client,
            client.stream("POST", self._url, content=body, headers=headers) as reply,
        ):
            return reply.status_code  # the body is not read
