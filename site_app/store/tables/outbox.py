"""What is still to be sent because of a lead, written in the lead's own commit."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index
from sqlmodel import Field

from site_app.store.tables.row import Row, instant

MAIL, WEBHOOK = "mail", "webhook"
WAITING, SENDING, SENT, DEAD = "waiting", "sending", "sent", "dead"
WITHHELD = "withheld"  # noted, but never written: its reader has had enough mails of us


class NewOutbox(Row):
    """A mail or a call of a webhook; `message_id` stays the same however often it is tried."""

    id: int | None = Field(default=None, primary_key=True)
    kind: str
    message_id: str = Field(unique=True)
    reference: str = Field(index=True)
    template: str
    payload: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    language: str = "en"
    recipient: str
    mailbox: str = Field(default="", index=True)  # of a visitor, spelt in one way; empty for mails to the team and webhooks
    status: str = Field(default=WAITING)
    attempts: int = 0
    next_attempt_at: datetime = instant()
    claimed_until: datetime | None = instant(default=None)
    last_error: str = ""
    created_at: datetime = instant()
    sent_at: datetime | None = instant(default=None)


class Outbox(NewOutbox, table=True):
    """The same in its table."""

    __table_args__: Any = (Index(None, "status", "next_attempt_at"),)
