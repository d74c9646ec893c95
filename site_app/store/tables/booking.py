"""Consultation calls, holds on slots, and the quarter hours both take."""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint
from sqlmodel import Field

from site_app.store.tables.lead import FromVisitor
from site_app.store.tables.row import Row, instant

MEETING = "meeting"
BOOKED, CANCELLED = "booked", "cancelled"


class Meeting(FromVisitor, table=True):
    """A booked call; `sequence` grows with each change, `uid` stays, so calendars know it again."""

    kind: ClassVar[str] = MEETING
    state: str = Field(default=BOOKED)
    full_name: str
    starts_at: datetime = instant(index=True)
    ends_at: datetime = instant()
    time_zone: str
    project_information: str = ""
    additional_notes: str = ""
    conferencing_url: str
    moved_from: datetime | None = instant(default=None)  # where it was before the last move
    uid: str = Field(unique=True)
    sequence: int = 0
    changed_at: datetime = instant()
    remind_at: datetime | None = instant(default=None, index=True)  # emptied by whoever writes the reminder


class ManageLink(Row, table=True):
    """A way to a call's page, known by the hash of its token; each mail has its own, and all of them stay good."""

    token_hash: str = Field(primary_key=True)
    meeting_id: int = Field(foreign_key="meeting.id", ondelete="CASCADE", index=True)
    mailed: bool = False  # only by mail: whoever uses it reads that mailbox


class Hold(Row, table=True):
    """A slot kept for the visitor who knows the id while the form is filled in."""

    id: str = Field(primary_key=True)
    starts_at: datetime = instant()
    ends_at: datetime = instant()
    created_at: datetime = instant()
    expires_at: datetime = instant(index=True)


class BookingCell(Row, table=True):
    """A quarter hour that is taken, buffers included: its primary key is what makes overlap impossible.

    A cell of a hold says when it expires, so whoever wants it next may delete it: no job has to run.
    """

    __table_args__: Any = (
        CheckConstraint("(meeting_id IS NULL) <> (hold_id IS NULL)", name="one_owner"),
        CheckConstraint("(hold_id IS NULL) = (expires_at IS NULL)", name="only_holds_expire"),
    )

    starts_at: datetime = instant(primary_key=True)
    meeting_id: int | None = Field(default=None, foreign_key="meeting.id", ondelete="CASCADE", index=True)
    hold_id: str | None = Field(default=None, foreign_key="hold.id", ondelete="CASCADE", index=True)
    expires_at: datetime | None = instant(default=None)
    network: str = ""  # whose it is, as a keyed hash; emptied when its time is over


class BusyTime(Row, table=True):
    """Time that no call may touch: blocked by the host, or read from the host's own calendar."""

    id: int | None = Field(default=None, primary_key=True)
    source: str = Field(index=True)
    starts_at: datetime = instant(index=True)
    ends_at: datetime = instant()
    note: str = ""


class CalendarReading(Row, table=True):
    """How reading the host's calendar went: what is known stays known while `problem` says why it is old."""

    source: str = Field(primary_key=True)
    tried_at: datetime = instant()
    read_at: datetime | None = instant(default=None)
    problem: str = ""
