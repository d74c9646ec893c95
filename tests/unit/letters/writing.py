"""Leads and calls to write letters about, and the mails that come of it."""

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from site_app.services.letters import compose, lead_rows, meeting_rows
from site_app.settings import Settings
from site_app.store.tables import Affiliate, AnyLead, Inquiry, Meeting, Outbox

NOW = datetime(2026, 8, 3, 10, tzinfo=UTC)
SETTINGS = Settings(url="https://www.example.com")
CALENDAR = b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n"


def a_quote(**changes: Any) -> Inquiry:
    fields: dict[str, Any] = {
        "kind": "quote",
        "reference": "Q-7F3K-29",
        "created_at": NOW,
        "email": "ada@example.org",
        "full_name": "Ada Lovelace",
        "phone": "+44 20 7946 0958",
        "country": "GB",
        "currency": "GBP",
        "services": ["web-development", "brand-creation"],
        "project_description": "A machine that weaves\nalgebraic patterns.",
        "source_page": "/faq",
    }
    return Inquiry(**fields | changes)


def a_message(**changes: Any) -> Inquiry:
    fields: dict[str, Any] = {"kind": "message", "reference": "M-7F3K-29", "subject": "A question", "message": "Do you?"}
    return a_quote(services=[], project_description="", **fields | changes)


def an_application(**changes: Any) -> Affiliate:
    fields: dict[str, Any] = {
        "reference": "A-7F3K-29",
        "created_at": NOW,
        "email": "ada@example.org",
        "first_name": "Ada",
        "last_name": "Lovelace",
        "country": "GB",
        "agreed_terms_version": "2024-08-14",
    }
    return Affiliate(**fields | changes)


def a_call(**changes: Any) -> Meeting:
    fields: dict[str, Any] = {
        "reference": "C-7F3K-29",
        "created_at": NOW,
        "email": "ada@example.org",
        "full_name": "Ada Lovelace",
        "starts_at": datetime(2026, 8, 4, 20, tzinfo=UTC),
        "ends_at": datetime(2026, 8, 4, 20, 30, tzinfo=UTC),
        "time_zone": "Asia/Bangkok",
        "conferencing_url": "https://meet.example.com/room",
        "project_information": "Looms.",
        "uid": "one@example.com",
        "changed_at": NOW,
    }
    return Meeting(**fields | changes)


def mails_of(lead: AnyLead, **more: Any) -> dict[str, EmailMessage]:
    """The mails of a lead, by template."""
    return {row.template: mail_of(row) for row in lead_rows(lead, settings=SETTINGS, now=NOW, **more)}


def call_mails(occasion: str, meeting: Meeting | None = None, method: str = "REQUEST") -> tuple[EmailMessage, EmailMessage]:
    """The visitor's mail and the host's."""
    rows = meeting_rows(
        occasion,
        meeting or a_call(),
        manage_url="https://www.example.com/meetings/s3cret",
        calendar=CALENDAR,
        calendar_method=method,
        settings=SETTINGS,
        now=NOW,
    )
    visitor, host = (mail_of(row) for row in rows)
    return visitor, host


def mail_of(row: Outbox) -> EmailMessage:
    return message_from_bytes(compose(row, SETTINGS), policy=policy.default)  # pyright: ignore


def text_of(mail: EmailMessage, kind: str = "plain") -> str:
    part = mail.get_body((kind,))
    assert part is not None
    return part.get_content().replace("\r\n", "\n")
