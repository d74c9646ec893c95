"""One network and one mailbox get their share of the calendar; a hold never makes another visitor's booking fail."""

from contextlib import suppress
from datetime import datetime
from typing import Any

import pytest
from sqlmodel import select

from site_app.provider.api.sweep import sweep_batch
from site_app.provider.booking.hold import hold_slot, release_hold
from site_app.provider.booking.meeting import ManagedMeeting, book_meeting, cancel_by_link, move_by_link
from site_app.provider.booking.refusals import MeetingExists, TooManyHolds, TooManyMeetings
from site_app.provider.booking.slots import Availability
from site_app.provider.store import Store
from site_app.provider.store.tables import BookingCell, Hold
from tests.support.bookings import NOON, NOW, SETTINGS, TEN, later, request, submission_context

pytestmark = pytest.mark.anyio
NETWORK, OTHER_NETWORK = "network-a", "network-b"
# A morning and an afternoon of each day, far enough apart.
SLOTS = [f"202606{day:02}T{hour}Z" for day in (2, 3, 4, 5, 8, 9) for hour in ("0900", "1300")]


async def book(store: Store, slot: str, network: str = NETWORK, now: datetime = NOW, **fields: Any) -> ManagedMeeting:
    return await store.write(
        lambda session: book_meeting(session, request(slot, **fields), submission_context(now, network_hash=network))
    )


async def hold(store: Store, slot: str, network: str = NETWORK, now: datetime = NOW, own_hold_id: str | None = None) -> Hold:
    return await store.write(
        lambda session: hold_slot(session, slot, settings=SETTINGS, now=now, hold_id=own_hold_id, network_hash=network)
    )


async def holds(store: Store) -> set[str]:
    return {row.id for row in await store.read(lambda session: session.exec(select(Hold)).all())}


@pytest.mark.parametrize("spelling", ["ada@gmail.com", "Ada@GMail.com", "a.d.a+second@gmail.com", "ada@googlemail.com"])
async def test_a_mailbox_has_one_upcoming_meeting_in_any_spelling(store: Store, spelling: str) -> None:
    await book(store, TEN, email="ada@gmail.com")

    with pytest.raises(MeetingExists):
        await book(store, NOON, OTHER_NETWORK, email=spelling)


async def test_dots_distinguish_mailboxes_only_where_the_provider_does(store: Store) -> None:
    await book(store, TEN, email="ada@example.com")

    await book(store, NOON, email="a.da@example.com")


async def test_a_past_or_cancelled_meeting_allows_another_booking(store: Store) -> None:
    first = await book(store, TEN, email="ada@example.com")
    await store.write(lambda session: cancel_by_link(session, first.token, settings=SETTINGS, now=NOW))
    await book(store, NOON, email="ada@example.com")

    await book(store, "20260605T0900Z", email="ada@example.com", now=later(days=2))


async def test_a_networks_meetings_are_limited_and_other_networks_are_not_affected(store: Store) -> None:
    for slot in SLOTS[: SETTINGS.limit_calls]:
        await book(store, slot)

    with pytest.raises(TooManyMeetings):
        await book(store, SLOTS[-1])
    await book(store, SLOTS[-1], OTHER_NETWORK)


async def test_a_meeting_that_was_moved_still_counts(store: Store) -> None:
    managed = [await book(store, slot) for slot in SLOTS[: SETTINGS.limit_calls]]
    await store.write(lambda session: move_by_link(session, managed[0].token, SLOTS[-2], settings=SETTINGS, now=NOW))

    with pytest.raises(TooManyMeetings):
        await book(store, SLOTS[-1])


async def test_a_networks_holds_are_limited_and_other_networks_are_not_affected(store: Store) -> None:
    for slot in SLOTS[: SETTINGS.limit_open_holds]:
        await hold(store, slot)

    with pytest.raises(TooManyHolds) as refused:
        await hold(store, SLOTS[-1])
    await hold(store, SLOTS[-1], OTHER_NETWORK)

    assert refused.value.wait == SETTINGS.booking_hold


async def test_a_moved_released_or_expired_hold_makes_room(store: Store) -> None:
    own_holds = [await hold(store, slot) for slot in SLOTS[: SETTINGS.limit_open_holds]]

    await hold(store, SLOTS[-1], own_hold_id=own_holds[0].id)
    await store.write(lambda session: release_hold(session, own_holds[1].id))
    await hold(store, SLOTS[-2])
    with pytest.raises(TooManyHolds):
        await hold(store, SLOTS[-3])
    await hold(store, SLOTS[-3], now=later(minutes=11))


async def test_meetings_and_holds_share_a_networks_limit(store: Store) -> None:
    for slot in SLOTS[: SETTINGS.limit_calls - 1]:
        await book(store, slot)
    first = await hold(store, SLOTS[-1])
    with pytest.raises(TooManyHolds):
        await hold(store, SLOTS[-2])

    await book(store, SLOTS[-3])

    assert first.id not in await holds(store)


async def test_one_network_cannot_hide_most_times_from_others(store: Store) -> None:
    def free(session: Any) -> list[str]:
        return [slot.id for slot in Availability(session, SETTINGS, NOW).slots()]

    free_before = await store.read(free)
    for number, slot in enumerate(free_before[1::4]):
        with suppress(TooManyHolds, TooManyMeetings):
            await (hold if number % 2 else book)(store, slot)

    assert len(await store.read(free)) >= 0.95 * len(free_before)


async def test_the_network_of_a_past_meeting_is_erased(store: Store) -> None:
    await book(store, TEN)
    await book(store, SLOTS[-1])

    await store.write(lambda session: sweep_batch(session, now=later(days=3), settings=SETTINGS))

    cells = await store.read(lambda session: session.exec(select(BookingCell)).all())
    assert {cell.network for cell in cells if cell.starts_at < later(days=3)} == {""}
    assert {cell.network for cell in cells if cell.starts_at > later(days=3)} == {NETWORK}
