"""The targets of events: webhooks and chats. Sends them the rows of the outbox.

Webhooks are signed as specified by standardwebhooks.com. Chats show words of visitors as plain text: no markup, no mentions.
Requests go over https, without redirects, and never to an address in a private network.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import re
import ssl
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import httpx

from site_app.core.settings import Settings
from site_app.core.settings.targets import DISCORD, SLACK, TEAMS, TELEGRAM, WEBHOOK, Target, signing_key
from site_app.provider.outbox.public_addresses import IpAddress, PublicTransport, Resolve
from site_app.provider.outbox.transports import NotDelivered
from site_app.provider.store.tables import Outbox

_TIMEOUTS = httpx.Timeout(5.0, connect=2.0)
_TOTAL_SECONDS = 8.0


class Receiver:
    """An address to which JSON is posted. The host is looked up each time, and must be public."""

    def __init__(
        self,
        url: str,
        *,
        resolve: Resolve | None = None,
        allowed: Callable[[IpAddress], bool] | None = None,
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


class Webhook:
    """An address to which events are posted, and the key that signs the requests. `connection_options` are passed on to the receiver."""

    def __init__(self, url: str, secret: str, *, clock: Callable[[], datetime], **connection_options: Any) -> None:
        self._key = signing_key(secret)
        self._clock = clock
        self._receiver = Receiver(url, **connection_options)

    async def send(self, row: Outbox) -> None:
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


_OPEN = "Open in the office"
_SUPPRESS_EMBEDS = 1 << 2  # Discord's flag: no preview of the office's address
_DISCORD_MARKUP = re.compile(r"([\\*_~`|>\[\]()<#:@-])")
_TELEGRAM_ENTITY = re.compile(r"(?<=[@/.#$])(?=\S)")
_WORD_JOINER = "\u2060"  # invisible
NoticeBody = dict[str, Any]


class Chat:
    """A chat to which notices are posted. `connection_options` are passed on to the receiver."""

    def __init__(self, target: Target, **connection_options: Any) -> None:
        url = httpx.URL(target.url)
        if target.service == DISCORD:  # without `wait`, Discord answers before it has taken the message
            url = url.copy_set_param("wait", "true")
        self._target = target
        self._receiver = Receiver(str(url), **connection_options)

    async def send(self, row: Outbox) -> None:
        """Posts the row's notice. Raises NotDelivered unless the reply is a 2xx."""
        body = _BODIES[self._target.service](row.payload["line"], row.payload["url"], self._target.chat)
        await self._receiver.post(json.dumps(body, ensure_ascii=False).encode())


def slack(line: str, url: str, chat: str = "") -> NoticeBody:
    """Returns a message of Slack: the line as plain text in a block, and again for notifications."""
    blocks: list[NoticeBody] = [{"type": "section", "text": {"type": "plain_text", "text": line, "emoji": False}}]
    if url:
        blocks.append({"type": "context", "elements": [{"type": "mrkdwn", "text": f"<{_slack_text(url)}|{_OPEN}>"}]})
    return {"text": _slack_text(line), "blocks": blocks, "unfurl_links": False, "unfurl_media": False}


def teams(line: str, url: str, chat: str = "") -> NoticeBody:
    """Returns an Adaptive Card, as a workflow of Teams takes it. A RichTextBlock, unlike a TextBlock, knows no Markdown."""
    card: NoticeBody = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "fallbackText": line,
        "body": [{"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": line}]}],
    }
    if url:
        card["actions"] = [{"type": "Action.OpenUrl", "title": _OPEN, "url": url}]
    attachment = {"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": None, "content": card}
    return {"type": "message", "attachments": [attachment]}


def discord(line: str, url: str, chat: str = "") -> NoticeBody:
    """Returns a message of Discord that mentions nobody."""
    text = _DISCORD_MARKUP.sub(r"\\\1", line)
    content = f"{text}\n[{_OPEN}](<{url}>)" if url else text
    return {"content": content, "allowed_mentions": {"parse": []}, "flags": _SUPPRESS_EMBEDS}


def telegram(line: str, url: str, chat: str) -> NoticeBody:
    """Returns the arguments of Telegram's sendMessage. Without a parse mode the text is shown as it is.

    Telegram still makes links of addresses, names and commands, such as @name, which could be a visitor's.
    """
    plain = _TELEGRAM_ENTITY.sub(_WORD_JOINER, line)
    text = f"{plain}\n{url}" if url else plain
    return {"chat_id": chat, "text": text, "link_preview_options": {"is_disabled": True}}


def _slack_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


_BODIES: dict[str, Callable[[str, str, str], NoticeBody]] = {SLACK: slack, TEAMS: teams, DISCORD: discord, TELEGRAM: telegram}


def target_transports(
    settings: Settings, clock: Callable[[], datetime], **connection_options: Any
) -> dict[str, Webhook | Chat]:
    """Returns the webhook or chat of each target by the target's name. `connection_options` are passed on to the receivers."""
    return {
        target.name: Webhook(target.url, target.key, clock=clock, **connection_options)
        if target.service == WEBHOOK
        else Chat(target, **connection_options)
        for target in settings.targets
    }
