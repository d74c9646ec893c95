"""Holds: a chosen slot is kept for a visitor while the form is filled in, and free again without anybody's doing."""

import secrets
from datetime import datetime, timedelta

from sqlmodel import Session, col, delete, select, update

from site_app.booking.availability import Availability
from site_app.booking.rules import HoldLost, rules_of
from site_app.booking.share import may_hold
from site_app.booking.slots import occupied, slot_at
from site_app.settings import Settings
from site_app.store import insert_if_new
from site_app.store.tables import BookingCell, Hold

# WCAG 2.2.1 asks for ten extensions at least; without an end one tab left open would keep a slot for ever.
_EXTENSIONS = 10


def hold_slot(
    session: Session, identity: str, *, settings: Settings, now: datetime, hold: str | None = None, network: str = ""
) -> Hold:
    """Keep the slot for whoever knows the hold's id; a hold already there is extended, or moves to it.

    A visitor may name a new hold, so that asking twice is asking once. Raises SlotTaken, or TooManyHolds where `network` has its
    share, and then an earlier hold is as it was.
    """
    hold = hold or secrets.token_urlsafe()
    availability = Availability(session, settings, now, own_hold=hold)
    may_hold(session, network, own_hold=hold, settings=settings, now=now)
    while True:
        earlier = _locked(session, hold)
        if earlier and slot_at(earlier.starts_at).id == identity:
            try:
                return extend_hold(session, hold, settings=settings, now=now)
            except HoldLost:
                pass  # it may still be free to all, and else SlotTaken says so
        slot = availability.slot(identity)
        _forget(session, now)
        if earlier:
            release_hold(session, hold)
        row = Hold(id=hold, starts_at=slot.start, ends_at=slot.end, created_at=now, expires_at=now + settings.booking_hold)
        if insert_if_new(session, Hold, row.model_dump()):
            availability.occupy(slot, hold=hold, until=row.expires_at, network=network)
            return row
        # The same question, asked twice at once, has been answered meanwhile: there is an earlier hold now.


def extend_hold(session: Session, hold: str, *, settings: Settings, now: datetime) -> Hold:
    """Begin the time anew, ten times at most; also when it had run out, as long as nobody took the slot meanwhile."""
    row = _locked(session, hold)
    if row is None:
        raise HoldLost(hold)
    until = min(now + settings.booking_hold, row.created_at + (_EXTENSIONS + 1) * settings.booking_hold)
    if until <= now:
        raise HoldLost(hold)
    mine = col(BookingCell.hold_id) == hold
    kept = session.connection().execute(update(BookingCell).where(mine).values(expires_at=until))
    if kept.rowcount < len(list(occupied(row.starts_at, rules_of(settings)))):
        raise HoldLost(hold)
    row.expires_at = until
    session.add(row)
    session.flush()
    return row


def release_hold(session: Session, hold: str) -> None:
    """Give the slot back; a hold that is not there is no mistake."""
    session.connection().execute(delete(Hold).where(col(Hold.id) == hold))  # its quarter hours go with it


def _locked(session: Session, hold: str) -> Hold | None:
    """The hold as it is now, whatever this session has seen of it, and nobody else's to change until it ends."""
    chosen = select(Hold).where(Hold.id == hold).with_for_update().execution_options(populate_existing=True)
    return session.exec(chosen).first()


def _forget(session: Session, now: datetime) -> None:
    """Delete holds that ran out long ago; those of today may still be revived."""
    session.connection().execute(delete(Hold).where(col(Hold.expires_at) < now - timedelta(days=1)))
