"""The slots that can be booked: one pure function, which listing and booking both ask."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from site_app.booking.rules import CALL, Rules, quarter_hours, starts_on
from site_app.contracts.meeting import Slot

_ID = "%Y%m%dT%H%MZ"


@dataclass(frozen=True)
class Busy:
    """Time that is not free; that of a hold is free again at `expires_at`, and to its holder all along."""

    start: datetime
    end: datetime
    hold: str | None = None
    expires_at: datetime | None = None


@lru_cache(maxsize=2048)
def slot_at(start: datetime) -> Slot:
    """The slot that begins at an instant of UTC, which is also its id."""
    return Slot(id=start.strftime(_ID), start=start, end=start + CALL)


def slot_named(identity: str) -> Slot | None:
    """The slot an id names, whether it is offered or not; None if it names nothing."""
    try:
        start = datetime.strptime(identity, _ID).replace(tzinfo=UTC)
    except ValueError:
        return None
    # Far from our time even adding a day overflows, and nothing is offered there anyway.
    return slot_at(start) if start.strftime(_ID) == identity and 2000 <= start.year < 3000 else None


def busy_with_buffer(start: datetime, end: datetime, rules: Rules) -> Busy:
    """What a call or an entry of the host's calendar takes: its own time and the buffer after it."""
    return Busy(start, end + rules.buffer)


def free_slots(
    rules: Rules,
    *,
    busy: Iterable[Busy],
    now: datetime,
    own_hold: str | None = None,
    first: date | None = None,
    last: date | None = None,
) -> list[Slot]:
    """Every slot inside hours, notice and horizon, a buffer away from what is busy, in order.

    `first` and `last` narrow it to local days of the host. A slot occupies the buffer after it, as whatever is busy
    does, so two calls are a buffer apart whichever comes first.
    """
    not_free = _quarters(busy, now, own_hold)
    earliest, latest = now + rules.notice, now + rules.horizon
    return [
        slot_at(start)
        for day in _days(rules, earliest, latest, first, last)
        for start, quarters in _starts_on(rules, day)
        if earliest <= start <= latest and not_free.isdisjoint(quarters)
    ]


def occupied(start: datetime, rules: Rules) -> Iterator[datetime]:
    """The quarter hours a call takes, its buffer included."""
    return quarter_hours(start, start + CALL + rules.buffer)


@lru_cache(maxsize=512)
def _starts_on(rules: Rules, day: date) -> tuple[tuple[datetime, tuple[datetime, ...]], ...]:
    return tuple((start, tuple(occupied(start, rules))) for start in starts_on(rules, day))


def _quarters(busy: Iterable[Busy], now: datetime, own_hold: str | None) -> set[datetime]:
    return {
        quarter
        for one in busy
        if one.hold is None or (one.hold != own_hold and one.expires_at is not None and one.expires_at > now)
        for quarter in quarter_hours(one.start, one.end)
    }


def _days(rules: Rules, earliest: datetime, latest: datetime, first: date | None, last: date | None) -> Iterator[date]:
    day = max(earliest.astimezone(rules.zone).date(), first or date.min)
    end = min(latest.astimezone(rules.zone).date(), last or date.max)
    while day <= end:
        yield day
        day += timedelta(days=1)
