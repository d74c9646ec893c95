"""Reminders 24 hours before a call, written once whoever asks and however many ask at a time."""

import secrets
from collections.abc import Callable
from datetime import datetime

from sqlmodel import Session, col, select, update

from site_app.services.booking.invitations import send
from site_app.services.booking.manage_links import new_link
from site_app.settings import Settings
from site_app.store.tables import Meeting
from site_app.store.tables.booking import BOOKED


def write_reminders(
    session: Session, *, settings: Settings, now: datetime, token: Callable[[], str] = secrets.token_urlsafe
) -> int:
    """Put a reminder into the outbox for each call that is due one, and return how many those were."""
    due = (col(Meeting.remind_at) <= now, col(Meeting.starts_at) > now, col(Meeting.state) == BOOKED)
    # Emptying the mark is the claim: a second worker's UPDATE waits for this one's commit and then finds none.
    claimed = session.connection().execute(update(Meeting).where(*due).values(remind_at=None).returning(col(Meeting.id)))
    ids = [one for (one,) in claimed]
    for meeting in session.exec(select(Meeting).where(col(Meeting.id).in_(ids))) if ids else ():
        send(session, "reminder", new_link(session, meeting, token=token), settings=settings, now=now)
    return len(ids)
