"""The slots that can be booked: a pure function that serves both listing and booking, and its input from the database.

If two visitors want the same slot, the primary key of its quarter hours decides. It contains the host: two hosts may both have a meeting at the
same time, one host never has two.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from sqlmodel import Session, col, delete, or_, select

from site_app.contracts.meeting import Slot, nearest, slot_language
from site_app.core.locales import BY_ID, ENGLISH
from site_app.core.settings import Settings
from site_app.provider.booking.busy import BLOCKED
from site_app.provider.booking.refusals import SlotTaken
from site_app.provider.booking.rules import QUARTER, Rules, booking_rules, quarter_hours, starts_on
from site_app.provider.store import insert_statement
from site_app.provider.store.clock import CLOCK_TOLERANCE
from site_app.provider.store.tables import BookingCell, BusyTime, Hold, Meeting

_ID_FORMAT = "%Y%m%dT%H%MZ"
_DAY = timedelta(days=1)
_NEARBY_DAYS = timedelta(days=4)  # enough to reach past a long weekend


@dataclass(frozen=True)
class BusyBlock:
    """Time that is not free. The time of a hold is free again at `expires_at`, and always free to its holder."""

    start: datetime
    end: datetime
    hold_id: str | None = None
    expires_at: datetime | None = None

    def lasts(self, now: datetime) -> bool:
        """Returns False if it was held, and the hold has expired."""
        return self.hold_id is None or (self.expires_at is not None and self.expires_at > now)


@lru_cache(maxsize=2048)
def slot_between(start: datetime, end: datetime, language: str = ENGLISH.id) -> Slot:
    """Returns the slot between these times in UTC; its id is made from the start, and from the meeting's language unless that is English."""
    return Slot(id=start.strftime(_ID_FORMAT) + (f"-{language}" if language != ENGLISH.id else ""), start=start, end=end)


def slot_of(row: Meeting | Hold) -> Slot:
    """Returns the slot that a meeting or hold takes. Its length is its own, even if the setting has changed since."""
    return slot_between(row.starts_at, row.ends_at, row.call_language)


def slot_start(slot_id: str) -> datetime | None:
    """Returns the start of the slot with this id, even if it is not offered, or None if the id is invalid."""
    moment, mark, language = slot_id.partition("-")
    try:
        start = datetime.strptime(moment, _ID_FORMAT).replace(tzinfo=UTC)
    except ValueError:
        return None
    if mark and (language not in BY_ID or language == ENGLISH.id):
        return None
    # Years are limited because date arithmetic overflows near the year 9999; no slot is offered there anyway.
    return start if start.strftime(_ID_FORMAT) == moment and 2000 <= start.year < 3000 else None


def busy_with_buffer(start: datetime, end: datetime, rules: Rules) -> BusyBlock:
    """Returns the time that a meeting or calendar entry takes, including the buffer after it."""
    return BusyBlock(start, end + rules.buffer)


def free_slots(
    rules: Rules,
    *,
    busy: Iterable[BusyBlock],
    now: datetime,
    own_hold_id: str | None = None,
    first: date | None = None,
    last: date | None = None,
) -> list[Slot]:
    """Returns all slots inside hours, notice and horizon that are a buffer away from busy times, in order.

    `first` and `last` restrict the result to local days of the host. Both slots and busy times include the buffer after them, so two
    meetings are a buffer apart whichever comes first. The slot of `own_hold_id` is offered until the hold expires, whatever the notice.
    """
    busy = [*busy]
    not_free = _quarters(busy, now, own_hold_id)
    earliest = now + rules.notice
    latest = now + rules.horizon
    held_start = min(
        (block.start for block in busy if block.hold_id and block.hold_id == own_hold_id and block.lasts(now)), default=latest
    )
    return [
        slot_between(start, start + rules.length, rules.language)
        for day in _days(rules, min(earliest, held_start), latest, first, last)
        for start, quarters in _starts_on(rules, day)
        if (earliest <= start <= latest or start == held_start) and not_free.isdisjoint(quarters)
    ]


def quarters_of_meeting(start: datetime, rules: Rules) -> Iterator[datetime]:
    """Yields the quarter hours that a meeting takes, including its buffer."""
    return quarter_hours(start, start + rules.length + rules.buffer)


@lru_cache(maxsize=512)
def _starts_on(rules: Rules, day: date) -> tuple[tuple[datetime, tuple[datetime, ...]], ...]:
    return tuple((start, tuple(quarters_of_meeting(start, rules))) for start in starts_on(rules, day))


def _quarters(busy: Iterable[BusyBlock], now: datetime, own_hold_id: str | None) -> set[datetime]:
    return {
        quarter
        for block in busy
        if block.lasts(now) and (block.hold_id is None or block.hold_id != own_hold_id)
        for quarter in quarter_hours(block.start, block.end)
    }


def _days(rules: Rules, earliest: datetime, latest: datetime, first: date | None, last: date | None) -> Iterator[date]:
    day = max(earliest.astimezone(rules.zone).date(), first or date.min)
    end = min(latest.astimezone(rules.zone).date(), last or date.max)
    while day <= end:
        yield day
        day += timedelta(days=1)


@dataclass(frozen=True)
class Availability:
    """The free time of a language's host as one visitor sees it in a transaction: their own hold or meeting counts as free.

    A meeting is moved within the time of its own host and language.
    """

    session: Session
    settings: Settings
    now: datetime
    own_hold_id: str | None = None
    own_meeting: Meeting | None = None
    language: str = ENGLISH.id

    @property
    def rules(self) -> Rules:
        return booking_rules(self.settings, self.call_language)

    @property
    def call_language(self) -> str:
        return self.own_meeting.call_language if self.own_meeting else self.language

    @property
    def host(self) -> str | None:
        """The name of the host, empty for the founder; None if there are no meetings in this language."""
        return self.own_meeting.host if self.own_meeting else self.settings.call_languages.get(self.language)

    def slots(self, first: date | None = None, last: date | None = None) -> list[Slot]:
        """Returns the free slots of these days, or of all days within the horizon."""
        today = self._day(self.now)
        last_day = self._day(self.now + self.rules.horizon)
        first = max(first or today, today)
        last = min(last or last_day, last_day)
        if first > last or self.host is None:
            return []
        noon = time(12)
        begin = datetime.combine(first - 2 * _DAY, noon, self.rules.zone)
        end = datetime.combine(last + 2 * _DAY, noon, self.rules.zone)
        busy = [*self._cells(begin, end), *self._busy_times(begin, end)]
        return free_slots(self.rules, busy=busy, now=self.now, own_hold_id=self.own_hold_id, first=first, last=last)

    def slot(self, slot_id: str) -> Slot:
        """Returns the free slot with this id. Raises SlotTaken if `slots` does not offer it to this visitor."""
        start = slot_start(slot_id)
        if start is None or slot_language(slot_id) != self.call_language:
            raise self._slot_taken(self.now)
        day = self._day(start)
        slot = next((slot for slot in self.slots(day, day) if slot.start == start), None)
        if slot is None:
            raise self._slot_taken(start)
        return slot

    def occupy(
        self,
        slot: Slot,
        *,
        meeting_id: int | None = None,
        hold_id: str | None = None,
        until: datetime | None = None,
        network_hash: str = "",
    ) -> None:
        """Takes the slot and the buffer after it for a meeting or a hold. Raises SlotTaken, which rolls back the caller's transaction."""
        quarters = list(quarters_of_meeting(slot.start, self.rules))
        free_again = or_(col(BookingCell.expires_at) <= self.now, col(BookingCell.expires_at) > self._longest_hold())
        execute = self.session.connection().execute
        execute(
            delete(BookingCell).where(col(BookingCell.starts_at).in_(quarters), col(BookingCell.host) == self.host, free_again)
        )
        occupant = {
            "host": self.host,
            "meeting_id": meeting_id,
            "hold_id": hold_id,
            "expires_at": until,
            "network": network_hash,
        }
        rows = [{"starts_at": quarter, **occupant} for quarter in quarters]
        if execute(insert_statement(self.session, BookingCell).values(rows).on_conflict_do_nothing()).rowcount != len(rows):
            raise self._slot_taken(slot.start, exclude=slot)

    def _slot_taken(self, near: datetime, *, exclude: Slot | None = None) -> SlotTaken:
        """Returns SlotTaken with the free slots nearest to the time `near`, without the slot `exclude`."""
        center = min(max(near, self.now + self.rules.notice), self.now + self.rules.horizon)
        free = self.slots(self._day(center - _NEARBY_DAYS), self._day(center + _NEARBY_DAYS))
        if len(free) < 3:
            free = self.slots()
        return SlotTaken(nearest([slot for slot in free if slot != exclude], center))

    def _day(self, moment: datetime) -> date:
        return moment.astimezone(self.rules.zone).date()

    def _longest_hold(self) -> datetime:
        """Returns the latest time at which a hold can end. A hold with a later end was made by a clock that was ahead, and is ignored."""
        return self.now + self.settings.booking_hold + CLOCK_TOLERANCE

    def _cells(self, begin: datetime, end: datetime) -> Iterable[BusyBlock]:
        columns = select(BookingCell.starts_at, BookingCell.hold_id, BookingCell.expires_at, Meeting.ends_at)
        columns = columns.outerjoin(Meeting, col(Meeting.id) == col(BookingCell.meeting_id))
        of_days = col(BookingCell.starts_at) >= begin - QUARTER, col(BookingCell.starts_at) < end
        statement = columns.where(*of_days, col(BookingCell.host) == self.host)
        if self.own_meeting is not None:
            statement = statement.where(
                or_(col(BookingCell.meeting_id).is_(None), col(BookingCell.meeting_id) != self.own_meeting.id)
            )
        # A meeting's cells have the buffer that the settings had when it was booked; it may have been raised since.
        return (
            BusyBlock(
                start, max(start + QUARTER, ends_at + self.rules.buffer) if ends_at else start + QUARTER, hold_id, expires_at
            )
            for start, hold_id, expires_at, ends_at in self.session.exec(statement)
            if expires_at is None or expires_at <= self._longest_hold()
        )

    def _busy_times(self, begin: datetime, end: datetime) -> Iterable[BusyBlock]:
        columns = select(BusyTime.starts_at, BusyTime.ends_at)
        statement = columns.where(col(BusyTime.ends_at) > begin - self.rules.buffer, col(BusyTime.starts_at) < end)
        if self.host:  # the calendars are the founder's; what the office blocks is closed for all
            statement = statement.where(col(BusyTime.source) == BLOCKED)
        # Clip to the queried days: otherwise a busy year would become a list of 35,000 quarter hours.
        return (
            busy_with_buffer(max(start, begin - _DAY), min(finish, end + _DAY), self.rules)
            for start, finish in self.session.exec(statement)
        )


def vacate(session: Session, meeting: Meeting) -> str:
    """Frees the quarter hours of a meeting. Returns the keyed hash of the network that booked it."""
    freed = delete(BookingCell).where(col(BookingCell.meeting_id) == meeting.id).returning(col(BookingCell.network))
    return next(iter(session.connection().execute(freed).scalars()), "")
