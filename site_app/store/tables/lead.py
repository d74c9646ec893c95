"""What visitors send: one table for leads of every kind, and the columns that a call shares with them."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index
from sqlmodel import Field

from site_app.store.tables.row import Row, instant

NEW, QUARANTINED, RELEASED = "new", "quarantined", "released"
READ, ANSWERED, WON, LOST = "read", "answered", "won", "lost"
BY_HAND = (NEW, READ, ANSWERED, WON, LOST)  # what the team itself may say of a lead
STATUSES = (*BY_HAND, QUARANTINED, RELEASED)


class FromVisitor(Row):
    """What is kept of everybody who can be reached; `status_reason` says which signs of spam put a lead in quarantine.

    `owner` is who of the team answers it; `version` grows with each change by the team.
    """

    id: int | None = Field(default=None, primary_key=True)
    reference: str = Field(unique=True)
    status: str = Field(default=NEW, index=True)
    status_reason: str = ""
    created_at: datetime = instant(index=True)
    language: str = "en"
    source_page: str = ""
    email: str
    phone: str = ""
    phone_e164: str = ""
    phone_extension: str = ""
    company: str = ""
    owner: str = ""
    version: int = 0


class NewLead(FromVisitor):
    """A lead of a kind; `said` is what its contract took beyond what all leads say, without what was left empty."""

    kind: str = Field(index=True)
    said: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)


class Lead(NewLead, table=True):
    """The same in its table. To make one costs ten times as much, so what is only inserted is made without."""

    # a filtered list is read from an index as well, the newest first
    __table_args__: Any = (Index(None, "status", "created_at"), Index(None, "kind", "created_at"))
