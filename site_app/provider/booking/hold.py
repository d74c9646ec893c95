"""Holds, which reserve a slot while the form is filled in. A hold expires."""

import secrets
from datetime import datetime, timedelta

from sqlmodel import Session, col, delete, select, update

from site_app.contracts.meeting import slot_language
from site_app.core.settings import Settings
from site_app.provider.booking.limits import lock_and_check_hold
from site_app.provider.booking.rules import booking_rules
from site_app.provider.booking.slots import Availability, quarters_of_meeting, slot_of
from site_app.provider.store import insert_if_new
from site_app.provider.store.batches import delete_batch
from site_app.provider.store.tables import BookingCell, Hold

_KEEP_EXPIRED = timedelta(days=1)  # a visitor who returns later may still extend the hold


def hold_slot(
    session: Session, slot_id: str, *, settings: Settings, now: datetime, hold_id: str | None = None, network_hash: str = ""
) -> Hold:
    """Holds the slot for the visitor who knows the hold's id. An existing hold is extended, or moved to this slot.

    A hold is not extended when the notice has become too short; it then ends as promised. The visitor may choose the id of a new hold,
    so that a repeated request makes only one hold. Raises SlotTaken, or TooManyHolds if the network has reached its limit; an existing
    hold then stays unchanged.
    """
    hold_id = hold_id or secrets.token_urlsafe()
    availability = Availability(session, settings, now, own_hold_id=hold_id, language=slot_language(slot_id))
    lock_and_check_hold(session, network_hash, own_hold_id=hold_id, settings=settings, now=now)
    while True:
        earlier = _read_and_lock(session, hold_id)
        slot = availability.slot(slot_id)
        is_same = earlier is not None and slot_of(earlier).id == slot_id
        is_short_notice = slot.start < now + settings.booking_notice  # offered only because this visitor holds it already
        if earlier and is_same and (is_short_notice or _extend(session, earlier, settings=settings, now=now)):
            return earlier
        if earlier:
            release_hold(session, hold_id)
        row = Hold(
            id=hold_id,
            starts_at=slot.start,
            ends_at=slot.end,
            call_language=availability.call_language,
            created_at=now,
            expires_at=earlier.expires_at if earlier and is_short_notice else now + settings.booking_hold,
        )
        if insert_if_new(session, Hold, row.model_dump()):
            availability.occupy(slot, hold_id=hold_id, until=row.expires_at, network_hash=network_hash)
            return row
        # Another request with the same id was faster: try again with its hold.


def release_hold(session: Session, hold_id: str) -> None:
    """Deletes the hold and frees its slot. Does nothing if there is no such hold."""
    session.connection().execute(delete(Hold).where(col(Hold.id) == hold_id))  # the database deletes its cells with it


def delete_expired_holds(session: Session, now: datetime) -> int:
    """Deletes a batch of holds that expired a day ago. Returns the number of rows."""
    return delete_batch(session, Hold, Hold.id, col(Hold.expires_at) < now - _KEEP_EXPIRED)


def _extend(session: Session, row: Hold, *, settings: Settings, now: datetime) -> bool:
    """Extends the hold, even after it expired. Returns False if its slot was taken since."""
    until = now + settings.booking_hold
    extension = update(BookingCell).where(col(BookingCell.hold_id) == row.id).values(expires_at=until)
    if session.connection().execute(extension).rowcount < len(
        list(quarters_of_meeting(row.starts_at, booking_rules(settings)))
    ):
        return False
    row.expires_at = until
    session.add(row)
    session.flush()
    return True


def _read_and_lock(session: Session, hold_id: str) -> Hold | None:
    """Reads the hold from the database again, locked until the transaction ends."""
    statement = select(Hold).where(Hold.id == hold_id).with_for_update().execution_options(populate_existing=True)
    return session.exec(statement).first()
