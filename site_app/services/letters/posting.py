"""The rows a lead or a call puts into the outbox, and the mail that each becomes when it is sent."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from site_app.i18n import BY_ID, ENGLISH, use
from site_app.services.letters import leads, meetings
from site_app.services.letters.envelope import mail_of
from site_app.services.letters.facts import Fields
from site_app.services.letters.letter import Letter, Person
from site_app.settings import Settings
from site_app.store.tables import AnyLead, Meeting, Outbox
from site_app.store.tables.outbox import MAIL, WEBHOOK

NEWS, ANSWER, CONFIRMATION, EVENT = "news", "answer", "confirmation", "lead.created"
_FOR_VISITOR, _FOR_HOST = "call-{}-visitor", "call-{}-host"

_LETTERS: dict[str, Callable[[Fields, Settings], Letter]] = {
    NEWS: leads.news,
    ANSWER: leads.answer,
    CONFIRMATION: leads.confirmation,
    **{_FOR_VISITOR.format(one): partial(meetings.to_visitor, one) for one in meetings.OCCASIONS},
    **{_FOR_HOST.format(one): partial(meetings.to_host, one) for one in meetings.OCCASIONS},
}
_TO_TEAM = {NEWS, *(_FOR_HOST.format(one) for one in meetings.OCCASIONS)}
OURS = {"id", "status", "status_reason", "phone_e164", "phone_extension"}


def lead_rows(lead: AnyLead, *, files: Iterable[Mapping[str, Any]] = (), settings: Settings, now: datetime) -> list[Outbox]:
    """What a lead sends out: news for the team, an answer to the sender, and the webhook if there is one.

    `files` are mappings with `name` and `size`.
    """
    fields = _fields(lead) | {"kind": lead.kind, "attachments": [dict(one) for one in files]}
    rows = [
        _mail(NEWS, fields, to=_team(settings), language=ENGLISH.id, settings=settings, now=now),
        _mail(ANSWER, fields, to=lead.email, language=lead.language, settings=settings, now=now),
    ]
    return [*rows, _event(fields, settings, now)] if settings.webhook_url else rows


def confirmation_rows(lead: AnyLead, *, confirm_url: str, settings: Settings, now: datetime) -> list[Outbox]:
    """What a lead in quarantine sends out: one question to its sender."""
    fields = {name: _fields(lead)[name] for name in ("reference", "created_at")} | {"confirm_url": confirm_url}
    return [_mail(CONFIRMATION, fields, to=lead.email, language=lead.language, settings=settings, now=now)]


def meeting_rows(
    occasion: str,
    meeting: Meeting,
    *,
    manage_url: str,
    calendar: bytes,
    calendar_method: str,
    settings: Settings,
    now: datetime,
) -> list[Outbox]:
    """What a call sends out when it is booked, moved, cancelled or near: a mail to the visitor, one to the host."""
    fields = _fields(meeting) | {
        "manage_url": manage_url,
        "calendar": calendar.decode(),
        "calendar_method": calendar_method,
    }
    # The link that moves or cancels the call is the visitor's alone.
    hosts = {name: value for name, value in fields.items() if name != "manage_url"}
    visitor, host = _FOR_VISITOR.format(occasion), _FOR_HOST.format(occasion)
    common = {"settings": settings, "now": now, "edition": meeting.sequence}
    rows = [
        _mail(visitor, fields, to=meeting.email, language=meeting.language, **common),
        _mail(host, hosts, to=_team(settings), language=ENGLISH.id, **common),
    ]
    if occasion != meetings.BOOKED or not settings.webhook_url:
        return rows
    return [*rows, _event(hosts | {"kind": "meeting"}, settings, now)]


def compose(row: Outbox, settings: Settings) -> bytes:
    """The mail a row of the outbox stands for, in its reader's language."""
    to_team = row.template in _TO_TEAM
    with use(BY_ID.get(row.language, ENGLISH)):
        return mail_of(
            _LETTERS[row.template](row.payload, settings),
            to=Person(settings.brand_name if to_team else leads.name_of(row.payload), row.recipient),
            message_id=row.message_id,
            reference=row.reference,
            written=row.created_at,
            settings=settings,
        )


def _mail(
    template: str, fields: Fields, *, to: str, language: str, settings: Settings, now: datetime, edition: int = 0
) -> Outbox:
    # The id follows from what the mail is about: written twice, the second row is refused.
    domain = (settings.mail_from or settings.brand_email).rpartition("@")[2]
    return Outbox(
        kind=MAIL,
        message_id=f"<{fields['reference']}.{template}.{edition}@{domain}>",
        reference=fields["reference"],
        template=template,
        payload=dict(fields),
        language=language,
        recipient=to,
        next_attempt_at=now,
        created_at=now,
    )


def _event(fields: Fields, settings: Settings, now: datetime) -> Outbox:
    data = {name: value for name, value in fields.items() if value and name not in ("calendar", "calendar_method")}
    return Outbox(
        kind=WEBHOOK,
        message_id=f"{fields['reference']}.{EVENT}",
        reference=fields["reference"],
        template=EVENT,
        payload={"type": EVENT, "timestamp": now.astimezone(UTC).isoformat(), "data": data},
        recipient=settings.webhook_url,
        next_attempt_at=now,
        created_at=now,
    )


def _fields(lead: AnyLead | Meeting) -> dict[str, Any]:
    values = {name: value for name, value in lead.model_dump().items() if name not in OURS}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}


def _team(settings: Settings) -> str:
    return settings.mail_team or settings.brand_email
