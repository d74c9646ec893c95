"""The rows a lead or a call puts into the outbox, and the mail that each becomes when it is sent."""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

from site_app.i18n import BY_ID, ENGLISH, use
from site_app.leads.letters import leads, meetings, office, quarantine
from site_app.leads.letters.envelope import mail_of
from site_app.leads.letters.facts import Fields
from site_app.leads.letters.letter import Letter, Person
from site_app.services.mailboxes import mailbox_of
from site_app.settings import Settings
from site_app.store.tables import MAIL, WEBHOOK, Meeting, NewLead, NewOutbox

NEWS, ANSWER, CONFIRMATION, DIGEST, EVENT = "news", "answer", "confirmation", "digest", "lead.created"
SIGN_IN, PROOF = "office-sign-in", "office-test"
_FOR_VISITOR, _FOR_HOST = "call-{}-visitor", "call-{}-host"

_LETTERS: dict[str, Callable[[Fields, Settings], Letter]] = {
    NEWS: leads.news,
    ANSWER: leads.answer,
    CONFIRMATION: leads.confirmation,
    DIGEST: quarantine.digest,
    SIGN_IN: office.sign_in,
    PROOF: office.proof,
    **{_FOR_VISITOR.format(one): partial(meetings.to_visitor, one) for one in meetings.OCCASIONS},
    **{_FOR_HOST.format(one): partial(meetings.to_host, one) for one in meetings.OCCASIONS},
}
_TO_TEAM = {NEWS, DIGEST, *(_FOR_HOST.format(one) for one in meetings.OCCASIONS)}
_MOST_LISTED = 100
OURS = {"id", "status", "status_reason", "phone_e164", "phone_extension", "owner", "version"}
# All that a mail to a visitor's address is made of. Nobody knows whose address it is: with a word of the sender's in it,
# strangers could have us mail anything to anyone, under our name.
_SAFE = {"reference", "kind", "created_at", "starts_at", "time_zone", "moved_from", "remind_at", "conferencing_url"}


def lead_rows(lead: NewLead, *, files: Iterable[Mapping[str, Any]] = (), settings: Settings, now: datetime) -> list[NewOutbox]:
    """What a lead sends out: news for the team, an answer to the sender, and the webhook if there is one.

    `files` are mappings with `name` and `size`.
    """
    fields = _fields(lead) | {"attachments": [dict(one) for one in files]}
    rows = [
        _mail(NEWS, fields, to=_team(settings), language=ENGLISH.id, settings=settings, now=now),
        _mail_to_visitor(ANSWER, _safe(fields), lead, settings=settings, now=now),
    ]
    return [*rows, _event(fields, settings, now)] if settings.webhook_url else rows


def confirmation_rows(lead: NewLead, *, confirm_url: str, settings: Settings, now: datetime) -> list[NewOutbox]:
    """What a lead in quarantine sends out: one question to its sender."""
    fields = _safe(_fields(lead)) | {"confirm_url": confirm_url}
    return [_mail_to_visitor(CONFIRMATION, fields, lead, settings=settings, now=now)]


def digest_row(day: date, waiting: Sequence[Mapping[str, str]], *, settings: Settings, now: datetime) -> NewOutbox:
    """The team's mail of that day about what waits in quarantine: mappings with reference, kind, created_at and erased_at."""
    listed = [dict(one) for one in waiting[:_MOST_LISTED]]
    fields = {"reference": f"quarantine-{day}", "written_at": now.isoformat(), "count": len(waiting), "waiting": listed}
    return _mail(DIGEST, fields, to=_team(settings), language=ENGLISH.id, settings=settings, now=now)


def meeting_rows(
    occasion: str,
    meeting: Meeting,
    *,
    manage_url: str,
    calendar: bytes,
    calendar_method: str,
    settings: Settings,
    now: datetime,
) -> list[NewOutbox]:
    """What a call sends out when it is booked, moved, cancelled or near: a mail to the visitor, one to the host."""
    file = {"calendar": calendar.decode(), "calendar_method": calendar_method}
    hosts = _fields(meeting) | file
    # The link that moves or cancels the call is the visitor's alone.
    visitors = _safe(hosts) | file | {"manage_url": manage_url}
    visitor, host = _FOR_VISITOR.format(occasion), _FOR_HOST.format(occasion)
    common = {"settings": settings, "now": now, "edition": meeting.sequence}
    rows = [
        _mail_to_visitor(visitor, visitors, meeting, **common),
        _mail(host, hosts, to=_team(settings), language=ENGLISH.id, **common),
    ]
    if occasion != meetings.BOOKED or not settings.webhook_url:
        return rows
    return [*rows, _event(hosts | {"kind": "meeting"}, settings, now)]


def sign_in_row(address: str, url: str, *, settings: Settings, now: datetime) -> NewOutbox:
    """The mail with a link to sign in to the office."""
    return _office_mail(SIGN_IN, {"url": url}, address, settings, now)


def proof_row(address: str, *, settings: Settings, now: datetime) -> NewOutbox:
    """A mail that says nothing but that it came."""
    return _office_mail(PROOF, {}, address, settings, now)


def compose(row: NewOutbox, settings: Settings) -> bytes:
    """The mail a row of the outbox stands for, in its reader's language."""
    to_team = row.template in _TO_TEAM
    with use(BY_ID.get(row.language, ENGLISH)):
        return mail_of(
            _LETTERS[row.template](row.payload, settings),
            to=Person(settings.brand_name if to_team else "", row.recipient),
            message_id=row.message_id,
            reference=row.reference,
            written=row.created_at,
            settings=settings,
        )


def _mail_to_visitor(template: str, fields: Fields, lead: NewLead | Meeting, **common: Any) -> NewOutbox:
    row = _mail(template, fields, to=lead.email, language=lead.language, **common)
    row.mailbox = mailbox_of(lead.email)
    return row


def _mail(
    template: str, fields: Fields, *, to: str, language: str, settings: Settings, now: datetime, edition: int = 0
) -> NewOutbox:
    # The id follows from what the mail is about: written twice, the second row is refused.
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


def _office_mail(template: str, fields: Fields, address: str, settings: Settings, now: datetime) -> NewOutbox:
    own = {"reference": f"office-{secrets.token_hex(8)}", **fields}
    return _mail(template, own, to=address, language=ENGLISH.id, settings=settings, now=now)


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
    values = {name: value for name, value in (said | said.pop("said", {})).items() if name not in OURS}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}


def _safe(fields: Fields) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name in _SAFE}


def _team(settings: Settings) -> str:
    return settings.mail_team or settings.brand_email
