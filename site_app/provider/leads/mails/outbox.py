"""The rows of the outbox that a lead, a call or the office writes, and the mail that is made of each when it is sent."""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

from site_app.core.i18n import BY_ID, ENGLISH, use
from site_app.core.settings import Settings
from site_app.provider.booking import mails as meetings
from site_app.provider.leads.mails import leads, team
from site_app.provider.leads.mails.facts import Fields
from site_app.provider.outbox.mime import mail_of
from site_app.provider.outbox.text import Calendar, MailText, Person
from site_app.provider.store.mailboxes import mailbox_of
from site_app.provider.store.tables import MAIL, WEBHOOK, Meeting, NewLead, NewOutbox

NEWS, ANSWER, CONFIRMATION, DIGEST, EVENT = "news", "answer", "confirmation", "digest", "lead.created"
SIGN_IN, TEST_MAIL = "office-sign-in", "office-test"
_FOR_VISITOR, _FOR_HOST = "call-{}-visitor", "call-{}-host"

_TEXTS: dict[str, Callable[[Fields, Settings], MailText]] = {
    NEWS: leads.news,
    ANSWER: leads.answer,
    CONFIRMATION: leads.confirmation,
    DIGEST: team.digest,
    SIGN_IN: team.sign_in,
    TEST_MAIL: team.test_mail,
    **{_FOR_VISITOR.format(one): partial(meetings.to_visitor, one) for one in meetings.OCCASIONS},
    **{_FOR_HOST.format(one): partial(meetings.to_host, one) for one in meetings.OCCASIONS},
}
_TO_TEAM = {NEWS, DIGEST, *(_FOR_HOST.format(one) for one in meetings.OCCASIONS)}
INTERNAL = {
    "id",
    "status",
    "status_reason",
    "phone_e164",
    "phone_extension",
    "owner",
    "version",
    "folded",
}  # columns that no mail shows
# All that a mail to a visitor's address is made of. Nobody knows whose address it is: if a word of the sender's stood in it,
# anyone could have us mail anything to anybody, under our name.
_SAFE = {"reference", "kind", "created_at", "starts_at", "time_zone", "moved_from", "remind_at", "conferencing_url"}


def lead_rows(lead: NewLead, *, files: Iterable[Mapping[str, Any]] = (), settings: Settings, now: datetime) -> list[NewOutbox]:
    """What a lead sends: a mail to the team, an answer to the sender, and the webhook if there is one.

    `files` are mappings with `name` and `size`.
    """
    fields = _fields(lead) | {"attachments": [dict(one) for one in files]}
    rows = [_mail_to_team(NEWS, fields, settings, now), _mail_to_visitor(ANSWER, _safe(fields), lead, settings, now)]
    return [*rows, _event(fields, settings, now)] if settings.webhook_url else rows


def confirmation_rows(lead: NewLead, *, confirm_url: str, settings: Settings, now: datetime) -> list[NewOutbox]:
    """What a lead in quarantine sends: one question to its sender."""
    return [_mail_to_visitor(CONFIRMATION, _safe(_fields(lead)) | {"confirm_url": confirm_url}, lead, settings, now)]


def digest_row(day: date, listed: Sequence[Mapping[str, Any]], *, count: int, settings: Settings, now: datetime) -> NewOutbox:
    """The team's mail of that day: how many wait in quarantine, and of those listed reference, kind, created_at, erased_at and is_asked:
    whether a mail asked its sender to confirm.
    """
    fields = {"reference": f"quarantine-{day}", "written_at": now.isoformat(), "count": count, "waiting": [*listed]}
    return _mail_to_team(DIGEST, fields, settings, now)


def meeting_rows(
    occasion: str, meeting: Meeting, *, manage_url: str, calendar: Calendar, settings: Settings, now: datetime
) -> list[NewOutbox]:
    """What a call sends when it is booked, moved, cancelled or near: a mail to the visitor and one to the host."""
    file = {"calendar": calendar.content.decode(), "calendar_method": calendar.method}
    hosts = _fields(meeting) | file
    # The link that moves or cancels the call is the visitor's alone.
    visitors = _safe(hosts) | file | {"manage_url": manage_url}
    rows = [
        _mail_to_visitor(_FOR_VISITOR.format(occasion), visitors, meeting, settings, now, meeting.sequence),
        _mail_to_team(_FOR_HOST.format(occasion), hosts, settings, now, meeting.sequence),
    ]
    if occasion != meetings.BOOKED or not settings.webhook_url:
        return rows
    return [*rows, _event(hosts | {"kind": "meeting"}, settings, now)]


def office_row(template: str, address: str, *, settings: Settings, now: datetime, **words: str) -> NewOutbox:
    """A mail to somebody of the agency: with the `url` to sign in, or one that shows only that mails arrive."""
    fields = {"reference": f"office-{secrets.token_hex(8)}"} | words
    return _mail(template, fields, address, ENGLISH.id, settings, now)


def compose(row: NewOutbox, settings: Settings) -> bytes:
    """The mail of a row of the outbox, in its reader's language."""
    to_team = row.template in _TO_TEAM
    with use(BY_ID.get(row.language, ENGLISH)):
        return mail_of(
            _TEXTS[row.template](row.payload, settings),
            to=Person(settings.brand_name if to_team else "", row.recipient),
            message_id=row.message_id,
            reference=row.reference,
            written=row.created_at,
            settings=settings,
        )


def _mail_to_visitor(
    template: str, fields: Fields, lead: NewLead | Meeting, settings: Settings, now: datetime, edition: int = 0
) -> NewOutbox:
    row = _mail(template, fields, lead.email, lead.language, settings, now, edition)
    row.mailbox = mailbox_of(lead.email)
    return row


def _mail_to_team(template: str, fields: Fields, settings: Settings, now: datetime, edition: int = 0) -> NewOutbox:
    return _mail(template, fields, settings.mail_team or settings.brand_email, ENGLISH.id, settings, now, edition)


def _mail(
    template: str, fields: Fields, to: str, language: str, settings: Settings, now: datetime, edition: int = 0
) -> NewOutbox:
    # The id follows from what the mail is about: where it is written twice, the second row is refused.
    domain = (settings.mail_from or settings.brand_email).rpartition("@")[2]
    return NewOutbox(
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


def _event(fields: Fields, settings: Settings, now: datetime) -> NewOutbox:
    data = {name: value for name, value in fields.items() if value and name not in ("calendar", "calendar_method")}
    return NewOutbox(
        kind=WEBHOOK,
        message_id=f"{fields['reference']}.{EVENT}",
        reference=fields["reference"],
        template=EVENT,
        payload={"type": EVENT, "timestamp": now.astimezone(UTC).isoformat(), "data": data},
        recipient=settings.webhook_url,
        next_attempt_at=now,
        created_at=now,
    )


def _fields(lead: NewLead | Meeting) -> dict[str, Any]:
    said = lead.model_dump()
    values = {name: value for name, value in (said | said.pop("said", {})).items() if name not in INTERNAL}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}


def _safe(fields: Fields) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name in _SAFE}
