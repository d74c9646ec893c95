"""A chosen slot is held for one visitor for ten minutes, can be extended, and is released by itself."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlmodel import Session, select

from site_app.provider.booking.busy import BLOCKED
from site_app.provider.booking.hold import hold_slot, release_hold
from site_app.provider.booking.refusals import SlotTaken
from site_app.provider.booking.slots import Availability
from site_app.provider.store import Store
from site_app.provider.store.tables import BookingCell, BusyTime, Hold
from tests.support.bookings import HALF_PAST_TEN, NOON, NOW, SETTINGS, TEN, later

pytestmark = pytest.mark.anyio


async def hold(store: Store, slot: str = TEN, *, now: datetime = NOW, own_hold_id: str | None = None) -> Hold:
    return await store.write(lambda session: hold_slot(session, slot, settings=SETTINGS, now=now, hold_id=own_hold_id))


async def ids(store: Store, *, now: datetime = NOW, own_hold_id: str | None = None) -> set[str]:
    return {
        slot.id
        for slot in await store.read(lambda session: Availability(session, SETTINGS, now, own_hold_id=own_hold_id).slots())
    }


def cells(session: Session) -> int:
    return len(session.exec(select(BookingCell)).all())


async def test_a_held_slot_is_offered_only_to_its_holder_and_others_get_the_nearest(store: Store) -> None:
    visitors_hold = await hold(store)

    assert {TEN, HALF_PAST_TEN} & await ids(store) == set()
    assert {TEN, HALF_PAST_TEN} <= await ids(store, own_hold_id=visitors_hold.id)
    with pytest.raises(SlotTaken):
        await hold(store, HALF_PAST_TEN)
    with pytest.raises(SlotTaken) as refused:
        await hold(store)
    assert [slot.id for slot in refused.value.nearest] == ["20260602T0800Z", "20260602T1000Z", "20260602T1030Z"]


async def test_a_hold_ends_by_itself_and_the_next_visitor_takes_its_place(store: Store) -> None:
    await hold(store)

    assert TEN in await ids(store, now=later(minutes=10))
    await hold(store, now=later(minutes=10))

    assert await store.read(cells) == 3


@pytest.mark.parametrize("slot", [NOON, HALF_PAST_TEN])  # HALF_PAST_TEN lies within the buffer of the held slot
async def test_choosing_another_slot_moves_the_hold(store: Store, slot: str) -> None:
    visitors_hold = await hold(store)

    moved = await hold(store, slot, own_hold_id=visitors_hold.id)

    assert moved.id == visitors_hold.id
    assert slot not in await ids(store)
    assert await store.read(cells) == 3


async def test_a_hold_that_cannot_move_stays_where_it_is(store: Store) -> None:
    ten_hold, noon_hold = await hold(store), await hold(store, NOON)

    with pytest.raises(SlotTaken):
        await hold(store, NOON, own_hold_id=ten_hold.id)

    assert noon_hold.id != ten_hold.id
    assert TEN in await ids(store, own_hold_id=ten_hold.id)
    assert TEN not in await ids(store)


async def test_choosing_the_same_slot_again_keeps_and_extends_the_hold(store: Store) -> None:
    first = await hold(store)

    second = await hold(store, now=later(minutes=8), own_hold_id=first.id)

    assert (second.id, second.expires_at) == (first.id, later(minutes=18))
    assert TEN not in await ids(store, now=later(minutes=17))


async def test_an_expired_hold_is_renewed_while_its_slot_is_free(store: Store) -> None:
    first, second = await hold(store), await hold(store, NOON)
    await hold(store, now=later(minutes=11))

    with pytest.raises(SlotTaken):
        await hold(store, now=later(minutes=12), own_hold_id=first.id)
    assert (await hold(store, NOON, now=later(minutes=12), own_hold_id=second.id)).expires_at == later(minutes=22)


async def test_a_held_slot_is_offered_until_the_hold_ends_although_the_notice_becomes_too_short(store: Store) -> None:
    start = datetime.fromisoformat("2026-06-02T09:00Z")
    now = start - SETTINGS.booking_notice - timedelta(minutes=3)
    visitors_hold = await hold(store, now=now)

    later_now = now + timedelta(minutes=9)
    second_hold = await hold(store, now=later_now, own_hold_id=visitors_hold.id)

    assert TEN in await ids(store, now=later_now, own_hold_id=visitors_hold.id)
    assert TEN not in await ids(store, now=later_now)
    assert second_hold.expires_at == visitors_hold.expires_at
    assert TEN not in await ids(store, now=second_hold.expires_at, own_hold_id=visitors_hold.id)
    with pytest.raises(SlotTaken):
        await hold(store, now=second_hold.expires_at, own_hold_id=visitors_hold.id)


async def test_a_change_of_language_does_not_extend_a_hold_whose_notice_became_too_short(store: Store) -> None:
    settings = replace(SETTINGS, booking_languages=("th",))  # the founder hosts it, too
    now = datetime.fromisoformat("2026-06-02T09:00Z") - SETTINGS.booking_notice
    visitors_hold = await hold(store, now=now)
    name = visitors_hold.id

    changed = await store.write(
        lambda session: hold_slot(session, f"{TEN}-th", settings=settings, now=now + timedelta(minutes=9), hold_id=name)
    )

    assert (changed.call_language, changed.expires_at) == ("th", visitors_hold.expires_at)


async def test_a_hold_is_not_extended_when_its_slot_was_blocked(store: Store) -> None:
    visitors_hold = await hold(store)
    blocked = BusyTime(source=BLOCKED, starts_at=visitors_hold.starts_at, ends_at=visitors_hold.ends_at)
    await store.write(lambda session: session.add(blocked))

    with pytest.raises(SlotTaken):
        await hold(store, now=later(minutes=5), own_hold_id=visitors_hold.id)


async def test_a_released_slot_is_free_at_once(store: Store) -> None:
    released = await hold(store)

    for _ in range(2):
        await store.write(lambda session: release_hold(session, released.id))

    assert TEN in await ids(store)
    assert await store.read(cells) == 0


@pytest.mark.parametrize("slot", ["20260601T0900Z", "20260602T0915Z", "20260606T0900Z", "20270601T0900Z", "20261399T0900Z"])
async def test_a_slot_that_is_not_offered_cannot_be_held(store: Store, slot: str) -> None:
    with pytest.raises(SlotTaken) as refused:
        await hold(store, slot)

    assert len(refused.value.nearest) == 3


async def test_a_hold_of_a_clock_that_was_ahead_reserves_nothing_later(store: Store) -> None:
    early_hold = await hold(store)
    a_year_on = NOW + timedelta(days=365)

    def set_clock_ahead(session: Session) -> None:
        for row in (session.get(Hold, early_hold.id), *session.exec(select(BookingCell))):
            assert row is not None
            row.expires_at = a_year_on
            session.add(row)

    await store.write(set_clock_ahead)

    assert TEN in await ids(store)
    assert (await hold(store)).id != early_hold.id
