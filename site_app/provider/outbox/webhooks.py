"""Posts leads to the agency's webhook, signed as specified by standardwebhooks.com. Refuses addresses in private networks."""

import asyncio
import base64
import hashlib
import hmac
import json
import ssl
from collections.abc import Callable
from datetime import UTC, datetime

import httpx

from site_app.core.settings import BrokenSetting, Settings
from site_app.provider.outbox.public_addresses import Address, PublicTransport, Resolve
from site_app.provider.outbox.senders import NotDelivered
from site_app.provider.store.tables import Outbox

_TIMEOUTS = httpx.Timeout(5.0, connect=2.0)
_TOTAL_SECONDS = 8.0


def webhook_of(settings: Settings, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> "Webhook | None":
    """Returns the webhook of the settings, or None if none is set."""
    if not settings.webhook_url:
        return None
    try:
        return Webhook(settings.webhook_url, settings.webhook_secret, clock=clock)
    except ValueError:
        raise BrokenSetting("SITE_WEBHOOK_SECRET begins with whsec_, but what follows is not base64") from None


class Webhook:
    """The address to which each lead is posted, and the key that signs the requests."""

    def __init__(
        self,
        url: str,
        secret: str,
        *,
        clock: Callable[[], datetime],
        resolve: Resolve | None = None,
        allowed: Callable[[Address], bool] | None = None,
        trust: ssl.SSLContext | bool = True,
    ) -> None:
        self._url, self._key, self._clock = httpx.URL(url), key_of(secret), clock
        self._transport = lambda: PublicTransport(resolve=resolve, allowed=allowed, trust=trust)

    async def look_up(self) -> None:
        """Raises NotDelivered if the host does not resolve, or resolves to a private address. Sends no request."""
        try:
            async with asyncio.timeout(_TOTAL_SECONDS):
                await self._transport().look_up(self._url)
        except (httpx.HTTPError, OSError, TimeoutError) as error:
            raise NotDelivered(type(error).__name__) from None

    async def call(self, row: Outbox) -> None:
        """Posts the row's payload. Raises NotDelivered unless the answer is a 2xx; redirects are not followed."""
        body = json.dumps(row.payload, ensure_ascii=False, separators=(",", ":")).encode()
        stamp = str(int(self._clock().timestamp()))
        headers = {
            "Content-Type": "application/json",
            "Webhook-Id": row.message_id,
            "Webhook-Timestamp": stamp,
            "Webhook-Signature": "v1," + signature(self._key, row.message_id, stamp, body),
        }
        try:
            async with asyncio.timeout(_TOTAL_SECONDS):
                status = await self._post(body, headers)
        except (httpx.HTTPError, OSError, TimeoutError) as error:
            raise NotDelivered(type(error).__name__) from None
        if not 200 <= status < 300:
            raise NotDelivered(f"HTTP {status}")

    async def _post(self, body: bytes, headers: dict[str, str]) -> int:
        async with (
            httpx.AsyncClient(transport=self._transport(), timeout=_TIMEOUTS) as client,
            client.stream("POST", self._url, content=body, headers=headers) as answer,
        ):
            return answer.status_code  # the body is not read


def key_of(secret: str) -> bytes:
    """Returns the signing key. Raises ValueError if the standard's prefix "whsec_" is not followed by base64."""
    return base64.b64decode(secret[6:], validate=True) if secret.startswith("whsec_") else secret.encode()


def signature(key: bytes, message_id: str, stamp: str, body: bytes) -> str:
    """Returns the signature of id, time and body together, so that the receiver notices changed parts and late replays."""
    signed = b".".join((message_id.encode(), stamp.encode(), body))
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
