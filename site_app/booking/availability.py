"""Which slots the store has free, and occupying one: the primary key of its quarter hours decides every race."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from sqlmodel import Session, col, delete, or_, select

from site_app.booking.rules import QUARTER, Rules, SlotTaken, rules_of
from site_app.booking.slots import Busy, busy_with_buffer, free_slots, occupied, slot_named
from site_app.contracts.meeting import Slot, nearest
from site_app.settings import Settings
from site_app.store import insert_statement
from site_app.store.tables import BookingCell, BusyTime, Meeting

_DAY = timedelta(days=1)
_CLOCKS_DIFFER = timedelta(minutes=1)  # between machines that share a database
_AROUND = timedelta(days=4)  # far enough over a weekend and its days beside it


@dataclass(frozen=True)
class Availability:
    """The host's time as one visitor sees it in a transaction: what their own hold or call occupies is free to them."""

    session: Session
    settings: Settings
    now: datetime
    own_hold: str | None = None
    own_call: int | None = None

    @property
    def rules(self) -> Rules:
        return rules_of(self.settings)

    def slots(self, first: date | None = None, last: date | None = None) -> list[Slot]:
        """The free ones of these days, or of all within the horizon."""
        today, final = (self._day(moment) for moment in (self.now, self.now + self.rules.horizon))
        first, last = max(first or today, today), min(last or final, final)
        if first > last:
            return []
        begin, end = (datetime.combine(day, time(12), self.rules.zone) for day in (first - 2 * _DAY, last + 2 * _DAY))
        busy = [*self._cells(begin, end), *self._busy_times(begin, end)]
        return free_slots(self.rules, busy=busy, now=self.now, own_hold=self.own_hold, first=first, last=last)

    def slot(self, identity: str) -> Slot:
        """The free slot that an id names; raises SlotTaken for one that listing does not show this visitor."""
        slot = slot_named(identity)
        if slot is None:
            raise self._refusal(self.now)
        day = self._day(slot.start)
        if slot not in self.slots(day, day):
            raise self._refusal(slot.start)
        return slot

    def occupy(
        self,
        slot: Slot,
        *,
        meeting: int | None = None,
        hold: str | None = None,
        until: datetime | None = None,
        network: str = "",
    ) -> None:
        """Take the slot and the buffer after it for a call or a hold, or raise SlotTaken: then the caller's work is undone."""
        quarters = list(occupied(slot.start, self.rules))
        free_again = or_(col(BookingCell.expires_at) <= self.now, col(BookingCell.expires_at) > self._longest_hold())
        run = self.session.connection().execute
        run(delete(BookingCell).where(col(BookingCell.starts_at).in_(quarters), free_again))
        whose = {"meeting_id": meeting, "hold_id": hold, "expires_at": until, "network": network}
        rows = [{"starts_at": one, **whose} for one in quarters]
        if run(insert_statement(self.session, BookingCell).values(rows).on_conflict_do_nothing()).rowcount != len(rows):
            raise self._refusal(slot.start, never=slot)

    def _refusal(self, wanted: datetime, *, never: Slot | None = None) -> SlotTaken:
        """With the free slots nearest to the one that was wanted; `never` is not among them."""
        close = min(max(wanted, self.now + self.rules.notice), self.now + self.rules.horizon)
        found = self.slots(self._day(close - _AROUND), self._day(close + _AROUND))
        if len(found) < 3:
            found = self.slots()
        return SlotTaken(nearest([one for one in found if one != never], close))

    def _day(self, moment: datetime) -> date:
        return moment.astimezone(self.rules.zone).date()

    def _longest_hold(self) -> datetime:
        """No hold lasts longer; one that says so was made by a clock that was ahead, and holds nothing."""
        return self.now + self.settings.booking_hold + _CLOCKS_DIFFER

    def _cells(self, begin: datetime, end: datetime) -> Iterable[Busy]:
        columns = select(BookingCell.starts_at, BookingCell.hold_id, BookingCell.expires_at)
        within = columns.where(col(BookingCell.starts_at) >= begin - QUARTER, col(BookingCell.starts_at) < end)
        if self.own_call is not None:
            within = within.where(or_(col(BookingCell.meeting_id).is_(None), col(BookingCell.meeting_id) != self.own_call))
        return (
            Busy(start, start + QUARTER, hold, expires_at)
            for start, hold, expires_at in self.session.exec(within)
            if expires_at is None or expires_at <= self._longest_hold()
        )

    def _busy_times(self, begin: datetime, end: datetime) -> Iterable[Busy]:
        columns = select(BusyTime.starts_at, BusyTime.ends_at)
        within = columns.where(col(BusyTime.ends_at) > begin - self.rules.buffer, col(BusyTime.starts_at) < end)
        # Only what lies between the two counts, or a year abroad would be a list of 35,000 quarter hours.
        return (
            busy_with_buffer(max(start, begin - _DAY), min(finish, end + _DAY), self.rules)
            for start, finish in self.session.exec(within)
        )


def vacate(session: Session, meeting: Meeting) -> str:
    """Free what a call occupies; returns the network that booked it."""
    mine = delete(BookingCell).where(col(BookingCell.meeting_id) == meeting.id).returning(col(BookingCell.network))
    return next(iter(session.connection().execute(mine).scalars()), "")
