"""Posts notices to chats, in the form that each service takes. Words of visitors are shown as they are: no markup, no mentions."""

import json
import re
from collections.abc import Callable
from typing import Any

import httpx

from site_app.core.settings.targets import DISCORD, SLACK, TEAMS, TELEGRAM, Target
from site_app.provider.outbox.receiver import Receiver
from site_app.provider.store.tables import Outbox

_OPEN = "Open in the office"
_SUPPRESS_EMBEDS = 1 << 2  # Discord's flag: no preview of the office's address
_DISCORD_MARKUP = re.compile(r"([\\*_~`|>\[\]()<#:@-])")
Body = dict[str, Any]


class Chat:
    """A chat to which notices are posted. `network` is passed on to the receiver."""

    def __init__(self, target: Target, **network: Any) -> None:
        url = httpx.URL(target.url)
        if target.service == DISCORD:  # without `wait`, Discord answers before it has taken the message
            url = url.copy_set_param("wait", "true")
        self._target, self._receiver = target, Receiver(str(url), **network)

    async def call(self, row: Outbox) -> None:
        """Posts the row's notice. Raises NotDelivered unless the reply is a 2xx."""
        body = _BODIES[self._target.service](row.payload["line"], row.payload["url"], self._target.chat)
        await self._receiver.post(json.dumps(body, ensure_ascii=False).encode())


def slack(line: str, url: str, chat: str = "") -> Body:
    """Returns a message of Slack: the line as plain text in a block, and again for notifications."""
    blocks: list[Body] = [{"type": "section", "text": {"type": "plain_text", "text": line, "emoji": False}}]
    if url:
        blocks.append({"type": "context", "elements": [{"type": "mrkdwn", "text": f"<{_slack_text(url)}|{_OPEN}>"}]})
    return {"text": _slack_text(line), "blocks": blocks, "unfurl_links": False, "unfurl_media": False}


def teams(line: str, url: str, chat: str = "") -> Body:
    """Returns an Adaptive Card, as a workflow of Teams takes it. A RichTextBlock, unlike a TextBlock, knows no Markdown."""
    card: Body = {
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


def discord(line: str, url: str, chat: str = "") -> Body:
    """Returns a message of Discord that mentions nobody."""
    text = _DISCORD_MARKUP.sub(r"\\\1", line)
    content = f"{text}\n[{_OPEN}](<{url}>)" if url else text
    return {"content": content, "allowed_mentions": {"parse": []}, "flags": _SUPPRESS_EMBEDS}


def telegram(line: str, url: str, chat: str) -> Body:
    """Returns the arguments of Telegram's sendMessage. Without a parse mode the text is shown as it is."""
    text = f"{line}\n{url}" if url else line
    return {"chat_id": chat, "text": text, "link_preview_options": {"is_disabled": True}}


def _slack_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


_BODIES: dict[str, Callable[[str, str, str], Body]] = {SLACK: slack, TEAMS: teams, DISCORD: discord, TELEGRAM: telegram}
