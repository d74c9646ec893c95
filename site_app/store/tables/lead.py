"""What visitors send: quote requests and messages, and applications to the affiliate program."""

from datetime import datetime
from typing import ClassVar

from sqlalchemy import JSON, Column
from sqlmodel import Field

from site_app.store.tables.row import Row, instant

NEW, QUARANTINED, RELEASED = "new", "quarantined", "released"
QUOTE, MESSAGE, AFFILIATE = "quote", "message", "affiliate"


class Lead(Row):
    """The columns every lead has; `status_reason` says which signs of spam put it in quarantine."""

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
    additional_notes: str = ""


class Inquiry(Lead, table=True):
    """A quote request or a message; the columns of the other kind stay empty."""

    kind: str = Field(index=True)
    full_name: str
    subject: str = ""
    message: str = ""
    country: str = ""
    currency: str = ""
    services: list[str] = Field(default=[], sa_column=Column(JSON, nullable=False))
    project_description: str = ""


class Affiliate(Lead, table=True):
    """An application to the affiliate program, with the version of the terms that was agreed to."""

    kind: ClassVar[str] = AFFILIATE
    first_name: str
    last_name: str
    company_website: str = ""
    country: str
    currency: str = ""
    agreed_terms_version: str


# A lead is found, released, listed and erased by what stands here: each table of leads, and each kind they hold.
AnyLead = Inquiry | Affiliate
LEADS: tuple[type[AnyLead], ...] = (Inquiry, Affiliate)
KINDS = (QUOTE, MESSAGE, AFFILIATE)
