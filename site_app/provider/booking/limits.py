"""The limits of meetings and holds, for a network and a mailbox.

The meetings and holds of a network are counted under a lock, in the transaction that adds one, so that concurrent processes cannot
exceed the limit together.
"""

from datetime import datetime, timedelta

from sqlalchemy import and_, distinct, or_
from sqlmodel import Session, col, delete, func, select, update

from site_app.core.settings import Settings
from site_app.provider.booking.refusals import MeetingExists, TooManyHolds, TooManyMeetings
from site_app.provider.outbox.mailboxes import lock_mailboxes, mailbox_of
from site_app.provider.store import advisory_lock
from site_app.provider.store.clock import CLOCK_TOLERANCE
from site_app.provider.store.tables import BookingCell, Hold, Meeting, MeetingStage

# Meetings booked with one mail address, including cancelled ones, because each sends mails that are never withheld.
MAILBOX_MEETINGS_PER_DAY = 2
_DAY = timedelta(days=1)


def lock_and_check_booking(
    session: Session, email: str, network_hash: str, *, guest: str = "", settings: Settings, now: datetime
) -> None:
    """Locks the network and the mailboxes, then raises an error if one of them has reached its limit.

    In this order: TooManyMeetings for the upcoming meetings of the network, MeetingExists for an upcoming meeting of the mailbox,
    TooManyMeetings for the meetings of the mailbox today. The network comes first, because a network beyond its limit must not learn
    which addresses have a meeting. The guest's mailbox is locked together with the visitor's, so that two bookings cannot deadlock.
    """
    _lock_network(session, network_hash)
    mailbox = mailbox_of(email)
    lock_mailboxes(session, mailbox, *([mailbox_of(guest)] if guest else []))
    if network_hash and _upcoming_meetings(session, network_hash, now) >= settings.limit_calls:
        raise TooManyMeetings(settings.brand_email)
    is_upcoming = and_(col(Meeting.state) == MeetingStage.BOOKED, col(Meeting.starts_at) > now)
    # A later meeting was dated by a clock that was ahead, and would count until that date.
    is_recent = and_(col(Meeting.created_at) > now - _DAY, col(Meeting.created_at) < now + CLOCK_TOLERANCE)
    rows = session.exec(select(Meeting.email, Meeting.state, Meeting.starts_at).where(or_(is_upcoming, is_recent)))
    own_meetings = [(state, starts_at) for address, state, starts_at in rows if mailbox_of(address) == mailbox]
    if any(state == MeetingStage.BOOKED and starts_at > now for state, starts_at in own_meetings):
        raise MeetingExists
    if len(own_meetings) >= MAILBOX_MEETINGS_PER_DAY:
        raise TooManyMeetings(settings.brand_email, for_mailbox=True)


def lock_and_check_hold(session: Session, network_hash: str, *, own_hold_id: str, settings: Settings, now: datetime) -> None:
    """Locks the network, then raises TooManyHolds if it has reached its limit of holds. Upcoming meetings lower that limit."""
    if not network_hash:
        return
    _lock_network(session, network_hash)
    open_holds = _open_holds(session, network_hash, now, exclude=own_hold_id)
    limit = min(settings.limit_open_holds, settings.limit_calls - _upcoming_meetings(session, network_hash, now))
    if len(open_holds) >= limit:
        raise TooManyHolds(min((hold.expires_at - now for hold in open_holds), default=settings.booking_hold))


def release_surplus_holds(session: Session, network_hash: str, *, settings: Settings, now: datetime) -> None:
    """Releases the network's oldest holds if its meetings and holds together exceed its limit."""
    if not network_hash:
        return
    allowed = max(0, settings.limit_calls - _upcoming_meetings(session, network_hash, now))
    too_many = [hold.id for hold in _open_holds(session, network_hash, now)[allowed:]]
    if too_many:
        session.connection().execute(delete(Hold).where(col(Hold.id).in_(too_many)))


def forget_networks_of_past_meetings(session: Session, now: datetime) -> None:
    """Deletes the networks of past meetings, which no longer count against a limit."""
    is_past = col(BookingCell.starts_at) < now, col(BookingCell.network) != ""
    session.connection().execute(update(BookingCell).where(*is_past).values(network=""))


def _upcoming_meetings(session: Session, network_hash: str, now: datetime) -> int:
    """Returns the number of the network's upcoming meetings."""
    is_upcoming = (
        BookingCell.network == network_hash,
        col(BookingCell.meeting_id).is_not(None),
        col(BookingCell.starts_at) > now,
    )
    return session.exec(select(func.count(distinct(col(BookingCell.meeting_id)))).where(*is_upcoming)).one()


def _open_holds(session: Session, network_hash: str, now: datetime, *, exclude: str = "") -> list[Hold]:
    """Returns the network's unexpired holds except the hold `exclude`, newest first."""
    of_network = BookingCell.network == network_hash, col(BookingCell.expires_at) > now
    hold_ids = select(BookingCell.hold_id).where(*of_network)
    statement = select(Hold).where(col(Hold.id).in_(hold_ids), Hold.id != exclude).order_by(col(Hold.created_at).desc())
    return list(session.exec(statement))


def _lock_network(session: Session, network_hash: str) -> None:
    # Taken before the locks of mailboxes and quarter hours: with one fixed order, transactions cannot deadlock.
    if network_hash:
        advisory_lock(session, f"network {network_hash}")
