"""What the agency's own pages keep: links to sign in, sessions, notes on leads and calls, and who changed what."""

from datetime import datetime

from sqlmodel import Field

from site_app.store.tables.row import Row, instant


class SignInLink(Row, table=True):
    """A mailed link, known by the hash of its token; using it deletes the row."""

    token_hash: str = Field(primary_key=True)
    person: str
    expires_at: datetime = instant(index=True)


class OfficeSession(Row, table=True):
    """Somebody who has signed in, known by the hash of the cookie; the row stays a while after the session has run out."""

    token_hash: str = Field(primary_key=True)
    person: str = Field(index=True)
    created_at: datetime = instant(index=True)
    seen_at: datetime = instant()
    browser: str = ""


class Note(Row, table=True):
    """What the team wrote about a lead or a call; one that is `held` was sent after its session had run out, and nobody sees it yet."""

    id: int | None = Field(default=None, primary_key=True)
    reference: str = Field(index=True)
    person: str
    written_at: datetime = instant()
    text: str
    held: bool = False


class AuditEntry(Row, table=True):
    """Who changed what, and when; no word of a visitor's, nor of a note."""

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = instant(index=True)
    person: str
    action: str
    reference: str = Field(default="", index=True)
    before: str = ""
    after: str = ""
