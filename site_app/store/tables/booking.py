"""Consultation calls, holds on slots, and the quarter hours both take."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint
from sqlmodel import Field

from site_app.store.tables.lead import Lead
from site_app.store.tables.row import Row, instant

BOOKED, CANCELLED = "booked", "cancelled"


class Meeting(Lead, table=True):
    """A booked call. Of the manage link only the hash is kept; `sequence` grows with each change, `uid` stays."""

    __tablename__ = "meeting"

    state: str = Field(default=BOOKED)
    full_name: str
    starts_at: datetime = instant(index=True)
    ends_at: datetime = instant()
    time_zone: str
    project_information: str = ""
    manage_token_hash: str = Field(unique=True)
    uid: str = Field(unique=True)
    sequence: int = 0
    changed_at: datetime = instant()
    reminder_sent_at: datetime | None = instant(default=None)


class Hold(Row, table=True):
    """A slot kept for the visitor who knows the id while the form is filled in."""

    __tablename__ = "hold"

    id: str = Field(primary_key=True)
    starts_at: datetime = instant()
    ends_at: datetime = instant()
    created_at: datetime = instant()
    expires_at: datetime = instant(index=True)


class BookingCell(Row, table=True):
    """A quarter hour that is taken, buffers included: its primary key is what makes overlap impossible.

    A cell of a hold says when it expires, so whoever wants it next may delete it: no job has to run.
    """

    __tablename__ = "booking_cell"
    __table_args__: Any = (
        CheckConstraint("(meeting_id IS NULL) <> (hold_id IS NULL)", name="one_owner"),
        CheckConstraint("(hold_id IS NULL) = (expires_at IS NULL)", name="only_holds_expire"),
    )

    starts_at: datetime = instant(primary_key=True)
    meeting_id: int | None = Field(default=None, foreign_key="meeting.id", ondelete="CASCADE", index=True)
    hold_id: str | None = Field(default=None, foreign_key="hold.id", ondelete="CASCADE", index=True)
    expires_at: datetime | None = instant(default=None)
