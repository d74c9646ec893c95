"""What a call's changes send out: mails to both sides, each with the calendar file of the call as it now stands."""

from datetime import datetime

from sqlmodel import Session

from site_app.i18n import BY_ID, ENGLISH, use
from site_app.services.booking.calendar_files import CANCEL, REQUEST, cancellation, invitation
from site_app.services.booking.manage_links import Managed, manage_url
from site_app.services.letters import meeting_rows
from site_app.settings import Settings
from site_app.store.tables.booking import CANCELLED


def send(session: Session, occasion: str, call: Managed, *, settings: Settings, now: datetime) -> None:
    """Put the mails of an occasion (booked, moved, cancelled, reminder) into the outbox."""
    meeting = call.meeting
    off = meeting.state == CANCELLED
    with use(BY_ID.get(meeting.language, ENGLISH)):
        calendar = cancellation(meeting, settings) if off else invitation(meeting, settings)
    session.add_all(
        meeting_rows(
            occasion,
            meeting,
            manage_url=manage_url(call, settings),
            calendar=calendar,
            calendar_method=CANCEL if off else REQUEST,
            settings=settings,
            now=now,
        )
    )
