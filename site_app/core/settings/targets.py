"""The targets of SITE_NOTIFY: the services that are notified of events. Messages about mistakes name the entry and never quote a secret."""

import base64
import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import urlsplit

from site_app.core.settings import rules

SLACK, TEAMS, DISCORD, TELEGRAM, WEBHOOK = "slack", "teams", "discord", "telegram", "webhook"
NOTICE_SERVICES = (SLACK, TEAMS, DISCORD, TELEGRAM, WEBHOOK)
LEAD_CREATED, LEAD_RELEASED, STATUS = "lead.created", "lead.released", "status"
MEETING_BOOKED, MEETING_MOVED, MEETING_CANCELLED = "meeting.booked", "meeting.moved", "meeting.cancelled"
MEETING_NO_SHOW = "meeting.no-show"
EVENTS = (LEAD_CREATED, LEAD_RELEASED, MEETING_BOOKED, MEETING_MOVED, MEETING_CANCELLED, MEETING_NO_SHOW, STATUS)
ALL = "all"
MIN_KEY_LENGTH = 24  # characters of the key that signs a webhook
_EXAMPLE = "such as slack=https://hooks.slack.com/services/… lead.created,meeting.booked"
_NAME = re.compile(r"[a-z][a-z0-9-]{0,19}")
_BOT = re.compile(r"(?P<token>[0-9]{5,20}:[A-Za-z0-9_-]{20,100})/(?P<chat>-?[0-9]{1,20}|@[A-Za-z0-9_]{4,40})")
# Hosts that belong to one service: an address there under another service's name is a mistake.
_HOSTS = {
    "hooks.slack.com": SLACK,
    "discord.com": DISCORD,
    "discordapp.com": DISCORD,
    "logic.azure.com": TEAMS,
    "api.powerplatform.com": TEAMS,
}


@dataclass(frozen=True)
class Target:
    """A service that is notified of events. `events` maps each of them to the type that it is sent as. Address and key are secrets."""

    name: str  # the service, and a name behind a colon where there are several: slack:sales
    service: str
    url: str = field(repr=False)
    events: Mapping[str, str]
    key: str = field(default="", repr=False)
    chat: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""


@cache
def targets(text: str) -> tuple[Target, ...]:
    """Returns the targets of SITE_NOTIFY. Raises ValueError with a sentence that names the entry."""
    targets_by_name: dict[str, Target] = {}
    for number, entry in enumerate((part.strip() for part in text.split(";")), start=1):
        if not entry:
            continue
        target = _target(f"entry {number}", entry)
        if target.name in targets_by_name:
            raise ValueError(
                f"entry {number} is named {target.name} like an earlier one; name it apart, such as {target.service}:sales=https://…"
            )
        targets_by_name[target.name] = target
    return tuple(targets_by_name.values())


def readable_targets(text: str) -> str:
    """Returns the setting's text if its targets can be parsed: the rule of SITE_NOTIFY."""
    targets(text)
    return text


def signing_key(secret: str) -> bytes:
    """Returns the key that signs. Raises ValueError if the standard's prefix "whsec_" is not followed by base64."""
    return base64.b64decode(secret[6:], validate=True) if secret.startswith("whsec_") else secret.encode()


def _target(place: str, entry: str) -> Target:
    head, *words = entry.split()
    label, mark, url = head.partition("=")
    service, colon, name = label.partition(":")
    if not mark or service not in NOTICE_SERVICES:
        raise ValueError(
            f"{place} must begin with one of {', '.join(f'{service}=' for service in NOTICE_SERVICES)}, {_EXAMPLE}"
        )
    if colon and not _NAME.fullmatch(name):
        raise ValueError(
            f"{place} ({service}) must have a name of small letters, digits and hyphens, such as {service}:sales=…"
        )
    place = f"{place} ({label})"
    keys = [word.removeprefix("key=") for word in words if word.startswith("key=")]
    if keys and (service != WEBHOOK or len(keys) > 1):
        raise ValueError(f"{place} must have no key=, which only a webhook has, once; {_EXAMPLE}")
    url, chat = _telegram(place, url) if service == TELEGRAM else (_https_url(place, service, url), "")
    events = _events(place, [word for word in words if not word.startswith("key=")])
    return Target(label, service, url, events, _key(place, keys[0]) if keys else "", chat)


def _https_url(place: str, service: str, url: str) -> str:
    try:
        rules.https_url(url)
    except ValueError:
        raise ValueError(f"{place} must have an address that begins with https://, {_EXAMPLE}") from None
    host = urlsplit(url).hostname or ""
    owner = next(
        (owner for service_host, owner in _HOSTS.items() if host == service_host or host.endswith(f".{service_host}")), service
    )
    if owner != service and (service, owner) != (WEBHOOK, TEAMS):  # Power Automate takes both
        raise ValueError(f"{place} has an address of {owner}; it must begin like {owner}=https://…")
    return url


def _telegram(place: str, token: str) -> tuple[str, str]:
    match = _BOT.fullmatch(token)
    if not match:
        raise ValueError(
            f"{place} must be the bot's token, a slash and the chat, such as telegram=123456:AA…/-1001234 lead.created"
        )
    return f"https://api.telegram.org/bot{match['token']}/sendMessage", match["chat"]


def _events(place: str, words: list[str]) -> dict[str, str]:
    chosen_events = [event for word in words for event in word.split(",") if event]
    for event in chosen_events:
        if event not in (*EVENTS, ALL):
            # The word itself is not repeated: it may be a key in the wrong place.
            similar = difflib.get_close_matches(event, EVENTS, n=1, cutoff=0.8)
            hint = f" (did you mean {similar[0]}?)" if similar else ""
            raise ValueError(f"{place} names an event that there is not{hint}; it must be all, or one of {', '.join(EVENTS)}")
    if not chosen_events:
        raise ValueError(f"{place} names no event; it must have all, or one of {', '.join(EVENTS)} behind its address")
    return {event: event for event in EVENTS if ALL in chosen_events or event in chosen_events}


def _key(place: str, key: str) -> str:
    try:
        signing_key(key)
    except ValueError:
        raise ValueError(
            f"{place} has a key that begins with whsec_, but what follows is not base64, like whsec_MfKQ…"
        ) from None
    if len(key) < MIN_KEY_LENGTH:
        raise ValueError(f"{place} needs a key of {MIN_KEY_LENGTH} characters or more, like those of: openssl rand -hex 24")
    return key
