"""Builds the outbox rows of mails, and composes a row's mail when it is sent."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from site_app.core.i18n import BY_ID, ENGLISH, use
from site_app.core.settings import Settings
from site_app.provider.outbox.mime import Fields, MailAddress, MailText, mail_of
from site_app.provider.outbox.notices import TEST_NOTICE
from site_app.provider.store.mailboxes import mailbox_of
from site_app.provider.store.tables import CALENDAR_WRITE, MAIL, Meeting, NewLead, NewOutbox

DIGEST, SIGN_IN, TEST_MAIL = "digest", "office-sign-in", "office-test"
PARTNER_LINK, PARTNER_PAYPAL, PARTNER_ENDED = "partner-link", "partner-paypal", "partner-ended"
PARTNER_STATEMENT, PARTNER_TERMS, PAYOUTS_DUE = "partner-statement", "partner-terms", "payouts-due"
CALENDAR_ENTRY, CALENDAR_REMOVAL = "calendar-entry", "calendar-removal"  # writes to the host's calendar
# Their references belong to neither a lead nor a meeting.
TEMPLATES_WITHOUT_LEAD = (
    DIGEST,
    SIGN_IN,
    TEST_MAIL,
    TEST_NOTICE,
    PARTNER_LINK,
    PARTNER_PAYPAL,
    PARTNER_ENDED,
    PARTNER_STATEMENT,
    PARTNER_TERMS,
    PAYOUTS_DUE,
    CALENDAR_REMOVAL,
)
INTERNAL_COLUMNS = {
    "id",
    "status",
    "status_reason",
    "phone_e164",
    "phone_extension",
    "owner",
    "version",
    "folded",
}  # not shown in mails
# Mails to visitors show only these fields. The address is unverified: if the mails repeated the sender's text, anyone could use us
# to mail anything to anybody.
_SAFE_FIELDS = {
    "reference",
    "kind",
    "created_at",
    "starts_at",
    "ends_at",
    "time_zone",
    "moved_from",
    "remind_at",
    "conferencing_url",
    "call_language",
    "host",
}


@dataclass(frozen=True)
class Template:
    """`text` returns the mail's text from the row's payload."""

    text: Callable[[Fields, Settings], MailText]
    to_team: bool = False


def compose(row: NewOutbox, template: Template, settings: Settings) -> bytes:
    """Returns the MIME message of a row, in its reader's language."""
    with use(BY_ID.get(row.language, ENGLISH)):
        return mail_of(
            template.text(row.payload, settings),
            to=MailAddress(settings.brand_name if template.to_team else "", row.recipient),
            message_id=row.message_id,
            reference=row.reference,
            created_at=row.created_at,
            settings=settings,
        )


def row_to_visitor(
    template: str, fields: Fields, lead: NewLead | Meeting, settings: Settings, now: datetime, edition: int | str = 0
) -> NewOutbox:
    row = mail_row(template, fields, lead.email, lead.language, settings=settings, now=now, edition=edition)
    row.mailbox = mailbox_of(lead.email)
    return row


def row_to_team(template: str, fields: Fields, settings: Settings, now: datetime, edition: int | str = 0) -> NewOutbox:
    recipient = settings.mail_team or settings.brand_email
    return mail_row(template, fields, recipient, ENGLISH.id, settings=settings, now=now, edition=edition)


def mail_row(
    template: str, fields: Fields, recipient: str, language: str, *, settings: Settings, now: datetime, edition: int | str = 0
) -> NewOutbox:
    """Returns a mail's row. Its message id is made of reference, template and edition; the table refuses a second row with the same id."""
    domain = (settings.mail_from or settings.brand_email).rpartition("@")[2]
    return NewOutbox(
        kind=MAIL,
        message_id=f"<{fields['reference']}.{template}.{edition}@{domain}>",
        reference=fields["reference"],
        template=template,
        payload=dict(fields),
        language=language,
        recipient=recipient,
        next_attempt_at=now,
        created_at=now,
    )


def calendar_row(template: str, reference: str, *, now: datetime, href: str = "") -> NewOutbox:
    """Returns a write to the host's calendar: of a meeting's entry as it is when it is written, or the removal of the entry at `href`."""
    return NewOutbox(
        kind=CALENDAR_WRITE,
        message_id=f"{reference}.{template}.{secrets.token_hex(8)}",
        reference=reference,
        template=template,
        payload={"href": href} if href else {},
        recipient="calendar",
        next_attempt_at=now,
        created_at=now,
    )


def fields_of(row: NewLead | Meeting) -> dict[str, Any]:
    """Returns the fields of a lead or meeting as JSON values, without the columns that no mail shows."""
    columns = row.model_dump()
    values = columns | columns.pop("said", {})
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
        if name not in INTERNAL_COLUMNS
    }


def safe_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields that a mail to a visitor may show."""
    return {name: value for name, value in fields.items() if name in _SAFE_FIELDS}
