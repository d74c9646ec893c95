"""The slots that can be booked: one pure function, which listing and booking both ask."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from site_app.services.booking.openings import CALL, Openings, quarter_hours, starts_on


@dataclass(frozen=True, order=True)
class Slot:
    """Half an hour that begins at an instant; its id says which."""

    start: datetime

    @property
    def end(self) -> datetime:
        return self.start + CALL

    @property
    def id(self) -> str:
        return self.start.strftime("%Y%m%dT%H%MZ")


@dataclass(frozen=True)
class Taken:
    """Time that is not free; that of a hold is free again at `expires_at`, and to its holder all along."""

    start: datetime
    end: datetime
    hold: str | None = None
    expires_at: datetime | None = None


def slot_of(identity: str) -> Slot | None:
    """The slot an id names, whether it is offered or not; none if it names nothing."""
    try:
        slot = Slot(datetime.strptime(identity, "%Y%m%dT%H%MZ").replace(tzinfo=UTC))
    except ValueError:
        return None
    # Far from our time even adding a day overflows, and nothing is offered there anyway.
    return slot if slot.id == identity and 2000 <= slot.start.year < 3000 else None


def booked(start: datetime, end: datetime, openings: Openings) -> Taken:
    """What a call or an entry of the host's calendar takes: its own time and the buffer after it."""
    return Taken(start, end + openings.buffer)


def free_slots(
    openings: Openings,
    *,
    taken: Iterable[Taken],
    now: datetime,
    own_hold: str | None = None,
    first: date | None = None,
    last: date | None = None,
) -> list[Slot]:
    """Every slot inside hours, notice and horizon, a buffer away from what is taken, in order.

    `first` and `last` narrow it to local days of the host. A slot claims the buffer after it, as whatever is taken
    does, so two calls are a buffer apart whichever comes first.
    """
    busy = _busy(taken, now, own_hold)
    earliest, latest = now + openings.notice, now + openings.horizon
    return [
        slot
        for day in _days(openings, earliest, latest, first, last)
        for slot, claimed in _slots_on(openings, day)
        if earliest <= slot.start <= latest and busy.isdisjoint(claimed)
    ]


def claim(start: datetime, openings: Openings) -> Iterator[datetime]:
    """The quarter hours a call takes, its buffer included."""
    return quarter_hours(start, start + CALL + openings.buffer)


def nearest(slots: Iterable[Slot], wanted: datetime, *, count: int = 3) -> list[Slot]:
    """The slots closest to a moment, in the order of the clock."""
    return sorted(sorted(slots, key=lambda slot: abs(slot.start - wanted))[:count])


@lru_cache(maxsize=512)
def _slots_on(openings: Openings, day: date) -> tuple[tuple[Slot, tuple[datetime, ...]], ...]:
    return tuple((Slot(start), tuple(claim(start, openings))) for start in starts_on(openings, day))


def _busy(taken: Iterable[Taken], now: datetime, own_hold: str | None) -> set[datetime]:
    return {
        quarter
        for one in taken
        if one.hold is None or (one.hold != own_hold and one.expires_at is not None and one.expires_at > now)
        for quarter in quarter_hours(one.start, one.end)
    }


def _days(openings: Openings, earliest: datetime, latest: datetime, first: date | None, last: date | None) -> Iterator[date]:
    day = max(earliest.astimezone(openings.zone).date(), first or date.min)
    end = min(latest.astimezone(openings.zone).date(), last or date.max)
    while day <= end:
        yield day
        day += timedelta(days=1)
