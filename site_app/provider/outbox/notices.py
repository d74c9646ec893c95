"""Events for webhooks and chats, the targets: their rows in the outbox, and the state of each target."""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlmodel import Session, col, func, select

from site_app.core.settings import Settings
from site_app.core.settings.targets import WEBHOOK, Target
from site_app.provider.outbox.mail import Fields, header_line
from site_app.provider.store.tables import NewOutbox, Outbox, OutboxKind, OutboxStatus

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


def event_rows(event: Event, *, settings: Settings, now: datetime) -> list[NewOutbox]:
    """Returns a row for each target that gets this event."""
    return [
        _row(target, target.events[event.type], event, settings=settings, now=now)
        for target in settings.targets
        if event.type in target.events
    ]


def row_of_test(target: Target, *, settings: Settings, now: datetime) -> NewOutbox:
    """Returns the row of a test notice to this target."""
    line = f"A test from the {settings.brand_name} office: notices arrive here."
    reference = f"office-{secrets.token_hex(8)}"
    return _row(target, TEST_NOTICE, Event(TEST_NOTICE, reference, line, {"reference": reference}), settings=settings, now=now)


def office_url(reference: str, settings: Settings) -> str:
    """Returns the address of a lead or meeting in the office, or "" if there is no office."""
    return f"{settings.office_origins[0]}/office/leads/{reference}" if settings.office else ""


def target_states(session: Session, settings: Settings) -> list[TargetState]:
    """Returns the last delivery to each target of the settings."""
    return [_state(session, target) for target in settings.targets]


def _row(target: Target, event_type: str, event: Event, *, settings: Settings, now: datetime) -> NewOutbox:
    is_webhook = target.service == WEBHOOK
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
