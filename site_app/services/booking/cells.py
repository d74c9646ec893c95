"""What is taken and what is free in the store; the primary key of its quarter hours decides every race."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta

from sqlmodel import Session, col, delete, or_, select

from site_app.services.booking.openings import QUARTER, Openings, openings
from site_app.services.booking.refusals import SlotTaken
from site_app.services.booking.slots import Slot, Taken, booked, claim, free_slots, nearest, slot_of
from site_app.settings import Settings
from site_app.store import insert_statement
from site_app.store.tables import BookingCell, BusyTime, Meeting

_DAY = timedelta(days=1)
_AROUND = timedelta(days=4)  # far enough over a weekend and its days beside it


def offered(
    session: Session,
    settings: Settings,
    *,
    now: datetime,
    own_hold: str | None = None,
    own_call: int | None = None,
    first: date | None = None,
    last: date | None = None,
) -> list[Slot]:
    """The free slots as one visitor sees them: what their own hold or call takes is free to them."""
    rules = openings(settings)
    today, final = (moment.astimezone(rules.zone).date() for moment in (now, now + rules.horizon))
    first, last = max(first or today, today), min(last or final, final)
    if first > last:
        return []
    begin, end = (datetime.combine(day, time(12), rules.zone) for day in (first - 2 * _DAY, last + 2 * _DAY))
    taken = [*_cells(session, begin, end, own_call), *_busy(session, rules, begin, end)]
    return free_slots(rules, taken=taken, now=now, own_hold=own_hold, first=first, last=last)


def wanted(session: Session, identity: str, settings: Settings, *, now: datetime) -> Slot:
    """The slot an id names; raises SlotTaken when it names none."""
    slot = slot_of(identity)
    if slot is None:
        raise taken(session, Slot(now), settings, now=now)
    return slot


def must_be_offered(
    session: Session, slot: Slot, settings: Settings, *, now: datetime, own_hold: str | None = None, own_call: int | None = None
) -> None:
    """Raise SlotTaken unless the slot is one that listing shows this visitor."""
    day = slot.start.astimezone(openings(settings).zone).date()
    if slot not in offered(session, settings, now=now, own_hold=own_hold, own_call=own_call, first=day, last=day):
        raise taken(session, slot, settings, now=now, own_hold=own_hold, own_call=own_call)


def take(
    session: Session,
    slot: Slot,
    settings: Settings,
    *,
    now: datetime,
    meeting: int | None = None,
    hold: str | None = None,
    until: datetime | None = None,
) -> None:
    """Take the slot and the buffer after it for a call or a hold, or raise SlotTaken: then the caller's work is undone."""
    quarters = list(claim(slot.start, openings(settings)))
    expired = col(BookingCell.expires_at) <= now
    session.connection().execute(delete(BookingCell).where(col(BookingCell.starts_at).in_(quarters), expired))
    rows = [{"starts_at": one, "meeting_id": meeting, "hold_id": hold, "expires_at": until} for one in quarters]
    done = session.connection().execute(insert_statement(session, BookingCell).values(rows).on_conflict_do_nothing())
    if done.rowcount != len(rows):
        raise taken(session, slot, settings, now=now, own_hold=hold, own_call=meeting, never=slot)


def give_back(session: Session, meeting: Meeting) -> None:
    """Let go of what a call has taken."""
    session.connection().execute(delete(BookingCell).where(col(BookingCell.meeting_id) == meeting.id))


def taken(
    session: Session,
    slot: Slot,
    settings: Settings,
    *,
    now: datetime,
    own_hold: str | None = None,
    own_call: int | None = None,
    never: Slot | None = None,
) -> SlotTaken:
    """The refusal, with the free slots nearest to the one that was wanted; `never` is not among them."""
    rules = openings(settings)
    close = min(max(slot.start, now + rules.notice), now + rules.horizon)
    first, last = (moment.astimezone(rules.zone).date() for moment in (close - _AROUND, close + _AROUND))
    found = offered(session, settings, now=now, own_hold=own_hold, own_call=own_call, first=first, last=last)
    if len(found) < 3:
        found = offered(session, settings, now=now, own_hold=own_hold, own_call=own_call)
    return SlotTaken(nearest([one for one in found if one != never], close))


def _cells(session: Session, begin: datetime, end: datetime, own_call: int | None) -> Iterable[Taken]:
    columns = select(BookingCell.starts_at, BookingCell.hold_id, BookingCell.expires_at)
    within = columns.where(col(BookingCell.starts_at) >= begin - QUARTER, col(BookingCell.starts_at) < end)
    if own_call is not None:
        within = within.where(or_(col(BookingCell.meeting_id).is_(None), col(BookingCell.meeting_id) != own_call))
    return (Taken(start, start + QUARTER, hold, expires_at) for start, hold, expires_at in session.exec(within))


def _busy(session: Session, rules: Openings, begin: datetime, end: datetime) -> Iterable[Taken]:
    columns = select(BusyTime.starts_at, BusyTime.ends_at)
    within = columns.where(col(BusyTime.ends_at) > begin - rules.buffer, col(BusyTime.starts_at) < end)
    # Only what lies between the two counts, or a year abroad would be a list of 35,000 quarter hours.
    return (booked(max(start, begin - _DAY), min(finish, end + _DAY), rules) for start, finish in session.exec(within))
