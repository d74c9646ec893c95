"""Free slots: none missing, doubled, overlapping, inside the notice, outside the hours or within a buffer."""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from site_app.core.settings import Settings
from site_app.provider.booking.rules import QUARTER, Rules, booking_rules
from site_app.provider.booking.slots import BusyBlock, busy_with_buffer, free_slots, slot_between, slot_start

ZONES = ("Europe/London", "Asia/Bangkok", "Asia/Shanghai", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe")
HOURS = ((15, 4 * 60), (9 * 60, 17 * 60), (22 * 60, 23 * 60 + 15))
HALF_HOUR = timedelta(minutes=30)
RULES = replace(booking_rules(Settings(booking_holidays="")), length=HALF_HOUR, buffer=QUARTER)
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 6, 1, 8, tzinfo=UTC)  # a Monday, 09:00 in London
TEN = datetime(2026, 6, 2, 9, tzinfo=UTC)  # the next day, 10:00 in London


def test_a_slot_is_offered_from_the_end_of_the_notice_to_the_horizon() -> None:
    slots = free_slots(RULES, busy=[], now=NOW)

    assert slots[0].start == NOW + timedelta(days=1)  # 21:00 is after hours
    assert slots[-1].start == NOW + timedelta(days=30)
    assert len(slots) == 16 * 21 + 1


def test_a_hold_takes_a_slot_from_everybody_but_its_holder_until_it_expires() -> None:
    hold = [BusyBlock(TEN, TEN + HALF_HOUR, hold_id="mine", expires_at=NOW + timedelta(minutes=10))]

    slot = slot_between(TEN, TEN + HALF_HOUR)
    assert slot not in free_slots(RULES, busy=hold, now=NOW)
    assert slot not in free_slots(RULES, busy=hold, now=NOW, own_hold_id="another")
    assert slot in free_slots(RULES, busy=hold, now=NOW, own_hold_id="mine")
    assert slot in free_slots(RULES, busy=hold, now=NOW + timedelta(minutes=10))


def test_a_request_for_some_days_returns_only_the_slots_of_those_days() -> None:
    slots = free_slots(RULES, busy=[], now=NOW, first=date(2026, 6, 3), last=date(2026, 6, 4))

    assert {slot.start.date() for slot in slots} == {date(2026, 6, 3), date(2026, 6, 4)}
    assert len(slots) == 32


def test_a_slots_id_finds_it_and_an_invalid_id_finds_none() -> None:
    assert slot_start(slot_between(TEN, TEN + HALF_HOUR).id) == TEN
    for nonsense in ("", "20260602", "20260602T0900", "20261302T0900Z", "2026062T0900Z", "٢٠٢٦٠٦٠٢T٠٩٠٠Z", "x" * 5000):
        assert slot_start(nonsense) is None


@pytest.mark.parametrize("zone", ["Australia/Lord_Howe", *(pytest.param(name, marks=pytest.mark.slow) for name in ZONES[:-1])])
def test_over_a_year_exactly_the_open_slots_are_offered(zone: str) -> None:
    """Includes zones whose clocks change by half an hour."""
    rules = replace(RULES, zone=ZoneInfo(zone), hours=HOURS, weekdays=frozenset(range(7)), horizon=timedelta(days=365))

    starts = [slot.start for slot in free_slots(rules, busy=[], now=BEGINNING)]

    assert starts
    assert starts == list(_open_starts(rules, BEGINNING + rules.notice, BEGINNING + rules.horizon))
    assert all(following - start >= HALF_HOUR for start, following in pairwise(starts))


# minutes from now, and duration
_spans = st.tuples(st.integers(min_value=0, max_value=30 * 24 * 60), st.integers(min_value=1, max_value=10 * 60))


@settings(max_examples=80, deadline=None)
@given(
    zone=st.sampled_from(ZONES),
    minute=st.integers(min_value=0, max_value=730 * 24 * 60),
    opens=st.integers(min_value=0, max_value=95),
    length=st.integers(min_value=1, max_value=96),
    meeting=st.integers(min_value=1, max_value=6),
    buffer=st.integers(min_value=0, max_value=8),
    notice=st.integers(min_value=0, max_value=72 * 60),
    busy=st.lists(_spans, max_size=30),
)
@example(zone="Europe/London", minute=86 * 24 * 60, opens=0, length=96, meeting=2, buffer=1, notice=0, busy=[(60, 90)])
@example(zone="Europe/London", minute=86 * 24 * 60, opens=0, length=96, meeting=3, buffer=1, notice=0, busy=[(60, 90)])
@example(zone="Australia/Lord_Howe", minute=93 * 24 * 60, opens=1, length=20, meeting=2, buffer=2, notice=0, busy=[])
def test_slots_are_exactly_the_free_times_that_the_rules_allow(
    zone: str, minute: int, opens: int, length: int, meeting: int, buffer: int, notice: int, busy: list[tuple[int, int]]
) -> None:
    """Covers meetings of half an hour and of other lengths."""
    now = BEGINNING + timedelta(minutes=minute)
    rules = replace(
        RULES,
        zone=ZoneInfo(zone),
        hours=((opens * 15, min(opens + length, 96) * 15),),
        length=(duration := meeting * QUARTER),
        buffer=buffer * QUARTER,
        notice=timedelta(minutes=notice),
    )
    spans = [(now + timedelta(minutes=at), now + timedelta(minutes=at + long)) for at, long in busy]

    slots = free_slots(rules, busy=[busy_with_buffer(*span, rules) for span in spans], now=now)

    offered = _open_starts(rules, now + rules.notice, now + rules.horizon, duration)
    assert [slot.start for slot in slots] == [
        start for start in offered if not any(_collides(start, start + duration, span, rules.buffer) for span in spans)
    ]
    assert all(slot.end - slot.start == duration for slot in slots)


def test_slots_cost_grows_no_faster_than_the_bookings() -> None:
    every = [NOW + timedelta(minutes=75 * count) for count in range(500)]
    busy = [busy_with_buffer(start, start + HALF_HOUR, RULES) for start in every]

    _calls([])  # fills the caches

    assert _calls(busy) <= 2 * _calls(busy[:250])


def _calls(busy: list[BusyBlock]) -> int:
    """Returns the number of function calls that the slots take, because a time would depend on the load of the machine."""
    events = Counter[str]()
    sys.setprofile(lambda _frame, event, _argument: events.update([event]))
    try:
        free_slots(RULES, busy=busy, now=NOW)
    finally:
        sys.setprofile(None)
    return events["call"] + events["c_call"]


def _open_starts(rules: Rules, earliest: datetime, latest: datetime, duration: timedelta = HALF_HOUR) -> Iterator[datetime]:
    """Computes the same starts independently: checks every quarter hour against the zone's clock."""
    quarters = [QUARTER * count for count in range(duration // QUARTER)]
    now = earliest.replace(minute=0, second=0, microsecond=0)
    while now <= latest:
        local = now.astimezone(rules.zone)
        for opens, closes in rules.hours:
            minutes = local.hour * 60 + local.minute
            on_the_grid = minutes >= opens and timedelta(minutes=minutes - opens) % duration == timedelta(0)
            if now >= earliest and on_the_grid and all(_open(rules, now + part, opens, closes) for part in quarters):
                yield now
        now += QUARTER


def _open(rules: Rules, moment: datetime, opens: int, closes: int) -> bool:
    local = moment.astimezone(rules.zone)
    closed = local.weekday() not in rules.weekdays or local.date() in rules.days_off
    return not closed and opens <= local.hour * 60 + local.minute < closes


def _collides(start: datetime, end: datetime, span: tuple[datetime, datetime], buffer: timedelta) -> bool:
    return start < span[1] + buffer and end + buffer > span[0]
