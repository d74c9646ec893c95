"""Events that are sent to webhooks and chats, the targets: their rows in the outbox, their delivery, and the state of each target.

Webhooks are signed as specified by standardwebhooks.com. Chats show words of visitors as plain text: no markup, no mentions.
Requests go over https, without redirects, and never to an address in a private network.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import re
import secrets
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
from sqlmodel import Session, col, func, select

from site_app.core.settings import Settings
from site_app.core.settings.targets import DISCORD, SLACK, TEAMS, TELEGRAM, Target, signing_key
from site_app.core.settings.targets import WEBHOOK as WEBHOOK_SERVICE
from site_app.provider.outbox.mail import Fields, NotDelivered, header_line
from site_app.provider.outbox.public_addresses import IpAddress, PublicTransport, Resolve
from site_app.provider.store.tables import NewOutbox, Outbox, OutboxKind, OutboxStatus

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
    """An address to which events are posted, and the key that signs the requests. `network` is passed on to the receiver."""

    def __init__(self, url: str, secret: str, *, clock: Callable[[], datetime], **network: Any) -> None:
        self._key = signing_key(secret)
        self._clock = clock
        self._receiver = Receiver(url, **network)

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
NoticeBody = dict[str, Any]


class Chat:
    """A chat to which notices are posted. `network` is passed on to the receiver."""

    def __init__(self, target: Target, **network: Any) -> None:
        url = httpx.URL(target.url)
        if target.service == DISCORD:  # without `wait`, Discord answers before it has taken the message
            url = url.copy_set_param("wait", "true")
        self._target = target
        self._receiver = Receiver(str(url), **network)

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
    """Returns the arguments of Telegram's sendMessage. Without a parse mode the text is shown as it is."""
    text = f"{line}\n{url}" if url else line
    return {"chat_id": chat, "text": text, "link_preview_options": {"is_disabled": True}}


def _slack_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


_BODIES: dict[str, Callable[[str, str, str], NoticeBody]] = {SLACK: slack, TEAMS: teams, DISCORD: discord, TELEGRAM: telegram}


TEST_NOTICE = "test"  # the event of the office's button; every target may get it
_MAX_LINE_LENGTH = 240  # characters
_EXCLUDED_FIELDS = ("calendar", "calendar_method")  # the mails' attachment


@dataclass(frozen=True)
class Event:
    """Something that happened to a lead or meeting. Webhooks get `data`, chats get `line`; `edition` tells repetitions apart."""

    type: str
    reference: str
    line: str
    data: Fields
    edition: int = 0


@dataclass(frozen=True)
class TargetState:
    """The last notice to a target: `problem` is the last failure unless something has arrived since. Both are empty before the first."""

    target: Target
    last_sent_at: datetime | None
    problem: str


def event_rows(event: Event, settings: Settings, now: datetime) -> list[NewOutbox]:
    """Returns a row for each target that gets this event."""
    return [
        _row(target, target.events[event.type], event, settings, now)
        for target in settings.targets
        if event.type in target.events
    ]


def row_of_test(target: Target, settings: Settings, now: datetime) -> NewOutbox:
    """Returns the row of a test notice to this target."""
    line = f"A test from the {settings.brand_name} office: notices arrive here."
    reference = f"office-{secrets.token_hex(8)}"
    return _row(target, TEST_NOTICE, Event(TEST_NOTICE, reference, line, {"reference": reference}), settings, now)


def office_url(reference: str, settings: Settings) -> str:
    """Returns the address of a lead or meeting in the office, or "" if there is no office."""
    return f"{settings.office_origins[0]}/office/leads/{reference}" if settings.office else ""


def target_senders(settings: Settings, clock: Callable[[], datetime], **network: Any) -> dict[str, Webhook | Chat]:
    """Returns the sender of each target by the target's name. `network` is passed on to the receivers."""
    return {
        target.name: Webhook(target.url, target.key, clock=clock, **network)
        if target.service == WEBHOOK_SERVICE
        else Chat(target, **network)
        for target in settings.targets
    }


def target_states(session: Session, settings: Settings) -> list[TargetState]:
    """Returns the last delivery to each target of the settings."""
    return [_state(session, target) for target in settings.targets]


def _row(target: Target, event_type: str, event: Event, settings: Settings, now: datetime) -> NewOutbox:
    is_webhook = target.service == WEBHOOK_SERVICE
    return NewOutbox(
        kind=OutboxKind.WEBHOOK if is_webhook else OutboxKind.NOTICE,
        message_id=f"{event.reference}.{event_type}.{event.edition}.{target.name}",
        reference=event.reference,
        template=event_type,
        payload=_webhook_payload(event_type, event, now) if is_webhook else _chat_payload(event, settings),
        recipient=target.name,  # not the address, which is a secret and may change before the row is sent
        next_attempt_at=now,
        created_at=now,
    )


def _webhook_payload(event_type: str, event: Event, now: datetime) -> dict[str, Any]:
    data = {name: value for name, value in event.data.items() if value and name not in _EXCLUDED_FIELDS}
    return {"type": event_type, "timestamp": now.astimezone(UTC).isoformat(), "data": data}


def _chat_payload(event: Event, settings: Settings) -> dict[str, Any]:
    url = "" if event.type == TEST_NOTICE else office_url(event.reference, settings)
    return {"line": header_line(event.line, _MAX_LINE_LENGTH), "url": url}


def _state(session: Session, target: Target) -> TargetState:
    is_of_target = col(Outbox.recipient) == target.name, col(Outbox.kind).in_((OutboxKind.WEBHOOK, OutboxKind.NOTICE))
    last_sent_at = session.exec(select(func.max(Outbox.sent_at)).where(*is_of_target, Outbox.status == OutboxStatus.SENT)).one()
    failed = (Outbox.status == OutboxStatus.DEAD) | ((Outbox.status == OutboxStatus.WAITING) & (Outbox.attempts > 0))
    since = (col(Outbox.created_at) > last_sent_at,) if last_sent_at else ()
    newest = select(Outbox.last_error).where(*is_of_target, failed, *since).order_by(col(Outbox.created_at).desc()).limit(1)
    return TargetState(target, last_sent_at, session.exec(newest).first() or "")
