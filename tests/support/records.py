"""Leads and meetings to write mails about, and those mails."""

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from site_app.core.settings import Settings
from site_app.provider.api.mails import compose
from site_app.provider.booking.mails import Occasion, meeting_rows
from site_app.provider.leads.mails import lead_rows
from site_app.provider.outbox.mail import CalendarFile
from site_app.provider.store.tables import Attachment, Lead, Meeting, NewOutbox

NOW = datetime(2026, 8, 3, 10, tzinfo=UTC)
SETTINGS = Settings(url="https://www.example.com")
CALENDAR = b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n"


def a_quote(**changes: Any) -> Lead:
    fields = {
        "full_name": "Ada Lovelace",
        "country": "GB",
        "currency": "GBP",
        "services": ["web-development", "brand-creation"],
        "project_description": "A machine that weaves\nalgebraic patterns.",
    }
    return a_lead("quote", "Q", fields, **{"phone": "+44 20 7946 0958", "source_page": "/faq"} | changes)


def a_message(**changes: Any) -> Lead:
    fields = {"full_name": "Ada Lovelace", "subject": "A question", "message": "Do you?"}
    return a_lead("message", "M", fields, **changes)


def an_application(**changes: Any) -> Lead:
    fields = {"first_name": "Ada", "last_name": "Lovelace", "country": "GB", "agreed_terms_version": "2024-08-14"}
    return a_lead("affiliate", "A", fields, **changes)


def a_lead(kind: str, prefix: str, fields: dict[str, Any], **changes: Any) -> Lead:
    """Returns a lead of the kind; a change sets a column, or else a field of the form."""
    shared = {"reference": f"{prefix}-7F3K-29", "created_at": NOW, "email": "ada@example.org"}
    columns = {name: value for name, value in changes.items() if name in Lead.model_fields}
    extra_fields = {name: value for name, value in changes.items() if name not in Lead.model_fields}
    return Lead(kind=kind, own_fields=fields | extra_fields, **shared | columns)


def a_meeting(**changes: Any) -> Meeting:
    fields: dict[str, Any] = {
        "reference": "C-7F3K-29",
        "created_at": NOW,
        "email": "ada@example.org",
        "full_name": "Ada Lovelace",
        "starts_at": datetime(2026, 8, 4, 20, tzinfo=UTC),
        "ends_at": datetime(2026, 8, 4, 20, tzinfo=UTC) + SETTINGS.booking_length,
        "time_zone": "Asia/Bangkok",
        "conferencing_url": "https://meet.example.com/room",
        "project_information": "Looms.",
        "uid": "one@example.com",
        "changed_at": NOW,
    }
    return Meeting(**fields | changes)


def a_file(stored: str = "ab12", **changes: Any) -> Attachment:
    fields = {"original_name": "brief.pdf", "kind": "pdf", "size": 7, "sha256": "", "created_at": NOW}
    return Attachment(**{"id": stored, "stored_name": stored, **fields} | changes)


def mails_of(lead: Lead, **options: Any) -> dict[str, EmailMessage]:
    """Returns the mails of a lead, by template."""
    return {row.template: mail_of(row) for row in lead_rows(lead, settings=SETTINGS, now=NOW, **options)}


def meeting_mails(
    occasion: str, meeting: Meeting | None = None, method: str = "REQUEST", calendar: bytes = CALENDAR
) -> tuple[EmailMessage, EmailMessage]:
    """Returns the visitor's mail and the host's."""
    rows = meeting_rows(
        Occasion(occasion),
        meeting or a_meeting(),
        manage_url="https://www.example.com/meetings/s3cret",
        calendar_file=CalendarFile(calendar, method),
        settings=SETTINGS,
        now=NOW,
    )
    visitor, host = (mail_of(row) for row in rows)
    return visitor, host


def mail_of(row: NewOutbox) -> EmailMessage:
    return message_from_bytes(compose(row, SETTINGS), policy=policy.default)  # pyright: ignore


def text_of(mail: EmailMessage, kind: str = "plain") -> str:
    part = mail.get_body((kind,))
    assert part is not None
    return part.get_content().replace("\r\n", "\n")
