"""What a call's changes send out: mails to both sides with the call's calendar file and a manage link of their own.

Manage links are unguessable, kept as a hash, and good for as long as the call is kept, however old the mail.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select, update

from site_app.booking.calendar_file import calendar_file
from site_app.i18n import BY_ID, ENGLISH, href, use
from site_app.leads.letters import meeting_rows
from site_app.services.strangers import spare_strangers
from site_app.settings import Settings
from site_app.store.tables import ManageLink, Meeting
from site_app.store.tables.booking import BOOKED


@dataclass(frozen=True)
class ManagedCall:
    """A call, and the token of a manage link to it."""

    meeting: Meeting
    token: str


def new_link(session: Session, meeting: Meeting, *, mailed: bool = False) -> ManagedCall:
    """A further way to the call's page; the earlier ones stay good. One that is `mailed` must be told nowhere else."""
    token = secrets.token_urlsafe()
    session.add(ManageLink(token_hash=_hash(token), meeting_id=meeting.id or 0, mailed=mailed))
    session.flush()
    return ManagedCall(meeting, token)


def meeting_of(session: Session, token: str, *, lock: bool = False) -> Meeting | None:
    """The call this token leads to."""
    found = select(Meeting).join(ManageLink).where(ManageLink.token_hash == _hash(token))
    return session.exec(found.with_for_update(of=Meeting) if lock else found).first()


def was_mailed(session: Session, token: str) -> bool:
    """Whether the token was told by mail alone, so that whoever has it reads the visitor's mailbox."""
    link = session.get(ManageLink, _hash(token))
    return link is not None and link.mailed


def manage_url(call: ManagedCall, settings: Settings) -> str:
    """The address of the call's page, in the language its visitor booked in."""
    with use(BY_ID.get(call.meeting.language, ENGLISH)):
        return settings.api_address + href(f"/meetings/{call.token}")


def invite(
    session: Session, occasion: str, meeting: Meeting, *, settings: Settings, now: datetime, always: bool = False
) -> None:
    """Put the mails of an occasion (booked, moved, cancelled, reminder) into the outbox.

    Unless it is to be sent `always`, the visitor's mailbox gets no more than a stranger's.
    """
    with use(BY_ID.get(meeting.language, ENGLISH)):
        file = calendar_file(meeting, settings)
    rows = meeting_rows(
        occasion,
        meeting,
        manage_url=manage_url(new_link(session, meeting, mailed=True), settings),
        calendar=file.content,
        calendar_method=file.method,
        settings=settings,
        now=now,
    )
    session.add_all(rows if always else spare_strangers(session, rows, now=now))


def write_reminders(session: Session, *, settings: Settings, now: datetime) -> int:
    """Remind of each call that is due, once whoever asks and however many ask at a time; returns how many those were."""
    due = (col(Meeting.remind_at) <= now, col(Meeting.starts_at) > now, col(Meeting.state) == BOOKED)
    # Emptying the mark decides: a second worker's UPDATE waits for this one's commit and then finds none.
    marked = session.connection().execute(update(Meeting).where(*due).values(remind_at=None).returning(col(Meeting.id)))
    ids = [one for (one,) in marked]
    for meeting in session.exec(select(Meeting).where(col(Meeting.id).in_(ids))) if ids else ():
        invite(session, "reminder", meeting, settings=settings, now=now)
    return len(ids)


def _hash(token: str) -> str:
    # The token is 256 bits of chance, so a plain hash is as good as a slow one.
    return hashlib.sha256(token.encode()).hexdigest()
