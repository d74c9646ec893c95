"""Events that targets are told of: their rows in the outbox, how each target is told, and how that went."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlmodel import Session, col, func, select

from site_app.core.settings import Settings
from site_app.core.settings.targets import WEBHOOK as WEBHOOK_SERVICE
from site_app.core.settings.targets import Target
from site_app.provider.outbox.chats import Chat
from site_app.provider.outbox.mime import Fields, header_line
from site_app.provider.outbox.webhooks import Webhook
from site_app.provider.store.tables import DEAD, NOTICE, SENT, WAITING, WEBHOOK, NewOutbox, Outbox

TEST_NOTICE = "test"  # the event of the office's button; every target may get it
_LONGEST_LINE = 240  # characters
_NOT_TOLD = ("calendar", "calendar_method")  # the mails' attachment


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
    """How a target was last told: `problem` is the last failure unless something has arrived since. Both are empty before the first."""

    target: Target
    told_at: datetime | None
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


def ways_to(settings: Settings, clock: Callable[[], datetime], **network: Any) -> dict[str, Webhook | Chat]:
    """Returns by name how each target is told. `network` is passed on to the receivers."""
    return {
        target.name: Webhook(target.url, target.key, clock=clock, **network)
        if target.service == WEBHOOK_SERVICE
        else Chat(target, **network)
        for target in settings.targets
    }


def target_states(session: Session, settings: Settings) -> list[TargetState]:
    """Returns how each target of the settings was last told."""
    return [_state(session, target) for target in settings.targets]


def _row(target: Target, told_as: str, event: Event, settings: Settings, now: datetime) -> NewOutbox:
    is_webhook = target.service == WEBHOOK_SERVICE
    return NewOutbox(
        kind=WEBHOOK if is_webhook else NOTICE,
        message_id=f"{event.reference}.{told_as}.{event.edition}.{target.name}",
        reference=event.reference,
        template=told_as,
        payload=_webhook_payload(told_as, event, now) if is_webhook else _chat_payload(event, settings),
        recipient=target.name,  # not the address, which is a secret and may change before the row is sent
        next_attempt_at=now,
        created_at=now,
    )


def _webhook_payload(told_as: str, event: Event, now: datetime) -> dict[str, Any]:
    data = {name: value for name, value in event.data.items() if value and name not in _NOT_TOLD}
    return {"type": told_as, "timestamp": now.astimezone(UTC).isoformat(), "data": data}


def _chat_payload(event: Event, settings: Settings) -> dict[str, Any]:
    url = "" if event.type == TEST_NOTICE else office_url(event.reference, settings)
    return {"line": header_line(event.line, _LONGEST_LINE), "url": url}


def _state(session: Session, target: Target) -> TargetState:
    named = col(Outbox.recipient) == target.name, col(Outbox.kind).in_((WEBHOOK, NOTICE))
    told_at = session.exec(select(func.max(Outbox.sent_at)).where(*named, Outbox.status == SENT)).one()
    failed = (Outbox.status == DEAD) | ((Outbox.status == WAITING) & (Outbox.attempts > 0))
    since = (col(Outbox.created_at) > told_at,) if told_at else ()
    newest = select(Outbox.last_error).where(*named, failed, *since).order_by(col(Outbox.created_at).desc()).limit(1)
    return TargetState(target, told_at, session.exec(newest).first() or "")
