"""Posts events to webhooks, signed as specified by standardwebhooks.com."""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from site_app.core.settings.targets import signing_key
from site_app.provider.outbox.receiver import Receiver
from site_app.provider.store.tables import Outbox


class Webhook:
    """An address to which events are posted, and the key that signs the requests. `network` is passed on to the receiver."""

    def __init__(self, url: str, secret: str, *, clock: Callable[[], datetime], **network: Any) -> None:
        self._key, self._clock, self._receiver = signing_key(secret), clock, Receiver(url, **network)

    async def call(self, row: Outbox) -> None:
        """Posts the row's payload. Raises NotDelivered unless the reply is a 2xx; redirects are not followed."""
        body = json.dumps(row.payload, ensure_ascii=False, separators=(",", ":")).encode()
        stamp = str(int(self._clock().timestamp()))
        headers = {
            "Webhook-Id": row.message_id,
            "Webhook-Timestamp": stamp,
            "Webhook-Signature": "v1," + signature(self._key, row.message_id, stamp, body),
        }
        await self._receiver.post(body, headers)


def signature(key: bytes, message_id: str, stamp: str, body: bytes) -> str:
    """Returns the signature of id, time and body together, so that the receiver notices changed parts and late replays."""
    signed = b".".join((message_id.encode(), stamp.encode(), body))
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
