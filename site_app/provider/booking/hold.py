"""Holds, which keep a slot while the form is filled in, and how much of the calendar one network and one mailbox may have.

A hold ends by itself. What a network has is counted under a lock and in the transaction that would take more, so that several processes
cannot each allow the last one.
"""

import secrets
from datetime import datetime, timedelta

from sqlalchemy import and_, distinct, or_
from sqlmodel import Session, col, delete, func, select, update

from site_app.core.settings import Settings
from site_app.provider.booking.rules import MeetingExists, TooManyHolds, TooManyMeetings, rules_of
from site_app.provider.booking.slots import Availability, occupied, slot_at
from site_app.provider.store import advisory_lock, insert_if_new
from site_app.provider.store.mailboxes import lock_mailboxes, mailbox_of
from site_app.provider.store.tables import BOOKED, BookingCell, Hold, Meeting

# Booked with one mail address, cancelled ones included: each sends its mails, which are never withheld.
MAILBOX_MEETINGS_PER_DAY = 2
_DAY = timedelta(days=1)


def hold_slot(
    session: Session, identity: str, *, settings: Settings, now: datetime, hold: str | None = None, network: str = ""
) -> Hold:
    """Hold the slot for whoever knows the hold's id; an earlier hold of theirs is prolonged, or moves to this slot.

    A visitor may name a new hold, so that the same request twice makes one hold. Raises SlotTaken, or TooManyHolds where `network` has
    its share; an earlier hold then stays as it was.
    """
    hold = hold or secrets.token_urlsafe()
    availability = Availability(session, settings, now, own_hold=hold)
    may_hold(session, network, own_hold=hold, settings=settings, now=now)
    while True:
        earlier = _locked(session, hold)
        if earlier and slot_at(earlier.starts_at).id == identity and _extend(session, earlier, settings, now):
            return earlier
        slot = availability.slot(identity)
        if earlier:
            release_hold(session, hold)
        row = Hold(id=hold, starts_at=slot.start, ends_at=slot.end, created_at=now, expires_at=now + settings.booking_hold)
        if insert_if_new(session, Hold, row.model_dump()):
            availability.occupy(slot, hold=hold, until=row.expires_at, network=network)
            return row
        # The same request came twice at once and the other one was first: now there is an earlier hold.


def release_hold(session: Session, hold: str) -> None:
    """Give the slot back; a hold that is not there is no mistake."""
    session.connection().execute(delete(Hold).where(col(Hold.id) == hold))  # the database deletes its cells with it


def _extend(session: Session, row: Hold, settings: Settings, now: datetime) -> bool:
    """Prolong the hold, even after it ran out; False where somebody has taken the slot since."""
    until = now + settings.booking_hold
    extension = update(BookingCell).where(col(BookingCell.hold_id) == row.id).values(expires_at=until)
    if session.connection().execute(extension).rowcount < len(list(occupied(row.starts_at, rules_of(settings)))):
        return False
    row.expires_at = until
    session.add(row)
    session.flush()
    return True


def _locked(session: Session, hold: str) -> Hold | None:
    """The hold as the database has it now, locked until the transaction ends."""
    statement = select(Hold).where(Hold.id == hold).with_for_update().execution_options(populate_existing=True)
    return session.exec(statement).first()


def may_book(session: Session, email: str, network: str, *, settings: Settings, now: datetime) -> None:
    """Raise TooManyMeetings for a network that has its share of calls to come, MeetingExists for a mailbox that has a call to come, and
    TooManyMeetings for one that has booked its calls of the day.

    In this order: who has had their share must not learn whose address has a call.
    """
    _lock_network(session, network)
    lock_mailboxes(session, mailbox := mailbox_of(email))
    if network and _calls(session, network, now) >= settings.limit_calls:
        raise TooManyMeetings(settings.brand_email)
    to_come, recent = and_(col(Meeting.state) == BOOKED, col(Meeting.starts_at) > now), col(Meeting.created_at) > now - _DAY
    calls = session.exec(select(Meeting.email, Meeting.state, Meeting.starts_at).where(or_(to_come, recent)))
    own_meetings = [(state, starts_at) for address, state, starts_at in calls if mailbox_of(address) == mailbox]
    if any(state == BOOKED and starts_at > now for state, starts_at in own_meetings):
        raise MeetingExists
    if len(own_meetings) >= MAILBOX_MEETINGS_PER_DAY:
        raise TooManyMeetings(settings.brand_email, for_mailbox=True)


def may_hold(session: Session, network: str, *, own_hold: str, settings: Settings, now: datetime) -> None:
    """Raise TooManyHolds for a network that holds its share of times; calls to come are part of that share."""
    if not network:
        return
    _lock_network(session, network)
    open_holds = _holds(session, network, now, but=own_hold)
    limit = min(settings.limit_open_holds, settings.limit_calls - _calls(session, network, now))
    if len(open_holds) >= limit:
        raise TooManyHolds(min((hold.expires_at - now for hold in open_holds), default=settings.booking_hold))


def release_surplus_holds(session: Session, network: str, *, settings: Settings, now: datetime) -> None:
    """Release the network's oldest holds where its calls and holds together exceed its share."""
    if not network:
        return
    allowed = max(0, settings.limit_calls - _calls(session, network, now))
    too_many = [hold.id for hold in _holds(session, network, now)[allowed:]]
    if too_many:
        session.connection().execute(delete(Hold).where(col(Hold.id).in_(too_many)))


def _calls(session: Session, network: str, now: datetime) -> int:
    to_come = BookingCell.network == network, col(BookingCell.meeting_id).is_not(None), col(BookingCell.starts_at) > now
    return session.exec(select(func.count(distinct(col(BookingCell.meeting_id)))).where(*to_come)).one()


def _holds(session: Session, network: str, now: datetime, *, but: str = "") -> list[Hold]:
    """The network's holds that have not run out, the newest first."""
    of_network = BookingCell.network == network, col(BookingCell.expires_at) > now
    hold_ids = select(BookingCell.hold_id).where(*of_network)
    statement = select(Hold).where(col(Hold.id).in_(hold_ids), Hold.id != but).order_by(col(Hold.created_at).desc())
    return list(session.exec(statement))


def _lock_network(session: Session, network: str) -> None:
    # Before any mailbox and any quarter hour is locked: taken in one order, no two transactions wait for each other.
    if network:
        advisory_lock(session, f"network {network}")
