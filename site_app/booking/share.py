"""How much of the calendar one network and one mailbox may have, whichever way they come.

It is counted in the transaction that would take more, and under a lock, so that several processes cannot each allow the last one.
"""

from datetime import datetime

from sqlalchemy import delete, distinct
from sqlmodel import Session, col, func, select

from site_app.booking.rules import CallExists, TooManyCalls, TooManyHolds
from site_app.services.mailboxes import mailbox_of
from site_app.services.strangers import lock_mailboxes
from site_app.settings import Settings
from site_app.store import take_turns
from site_app.store.tables import BookingCell, Hold, Meeting
from site_app.store.tables.booking import BOOKED


def may_book(session: Session, email: str, network: str, *, settings: Settings, now: datetime) -> None:
    """Raise CallExists for a mailbox that has a call to come, and TooManyCalls for a network that has its share of them."""
    _lock_network(session, network)
    lock_mailboxes(session, mailbox := mailbox_of(email))
    to_come = select(Meeting.email).where(Meeting.state == BOOKED, col(Meeting.starts_at) > now)
    if any(mailbox_of(one) == mailbox for one in session.exec(to_come)):
        raise CallExists
    if network and _calls(session, network, now) >= settings.limit_calls:
        raise TooManyCalls(settings.brand_email)


def may_hold(session: Session, network: str, *, own_hold: str, settings: Settings, now: datetime) -> None:
    """Raise TooManyHolds for a network that holds its share of times; calls to come are part of that share."""
    if not network:
        return
    _lock_network(session, network)
    open_holds = _holds(session, network, now, but=own_hold)
    most = min(settings.limit_open_holds, settings.limit_calls - _calls(session, network, now))
    if len(open_holds) >= most:
        raise TooManyHolds(min((hold.expires_at - now for hold in open_holds), default=settings.booking_hold))


def keep_to_share(session: Session, network: str, *, settings: Settings, now: datetime) -> None:
    """Release the network's oldest holds as far as its calls have taken their place."""
    if not network:
        return
    kept = max(0, settings.limit_calls - _calls(session, network, now))
    too_many = [hold.id for hold in _holds(session, network, now)[kept:]]
    if too_many:
        session.connection().execute(delete(Hold).where(col(Hold.id).in_(too_many)))


def _calls(session: Session, network: str, now: datetime) -> int:
    to_come = BookingCell.network == network, col(BookingCell.meeting_id).is_not(None), col(BookingCell.starts_at) > now
    return session.exec(select(func.count(distinct(col(BookingCell.meeting_id)))).where(*to_come)).one()


def _holds(session: Session, network: str, now: datetime, *, but: str = "") -> list[Hold]:
    """Those that have not run out, the newest first."""
    theirs = BookingCell.network == network, col(BookingCell.expires_at) > now
    held = select(BookingCell.hold_id).where(*theirs)
    found = select(Hold).where(col(Hold.id).in_(held), Hold.id != but).order_by(col(Hold.created_at).desc())
    return list(session.exec(found))


def _lock_network(session: Session, network: str) -> None:
    # Before any mailbox and any quarter hour is locked: taken in one order, no two transactions wait for each other.
    if network:
        take_turns(session, f"network {network}")
