"""The courier delivers each row once, in time, and reports abandoned rows."""

import asyncio
from dataclasses import fields
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from structlog.testing import capture_logs

from site_app.core.settings import Settings
from site_app.provider.outbox import rows as outbox
from site_app.provider.outbox.courier import Courier, time_spent
from site_app.provider.outbox.rows import FIRST_WAIT, LEASE, MAX_WAIT, wait_after
from site_app.provider.outbox.transports import NotDelivered
from site_app.provider.store import Store, StoreUnavailable
from site_app.provider.store.tables import Outbox
from tests.support.clock import Clock
from tests.support.outbox import NOW, MemoryTransport, a_row, courier, deliver_by, deliver_due
from tests.support.stored_rows import add_rows, rows_in

pytestmark = pytest.mark.anyio


async def failing(row: Outbox) -> None:
    raise NotDelivered("down")


def test_retry_delays_grow_to_a_limit_and_fill_two_days() -> None:
    attempts = next(number for number in range(1, 100) if time_spent(number) >= timedelta(hours=48))

    assert wait_after(1) == FIRST_WAIT
    assert wait_after(3) == 4 * FIRST_WAIT
    assert wait_after(1000) == MAX_WAIT
    assert 15 < attempts < 20


def test_no_mail_may_take_so_long_that_another_process_sends_it_too() -> None:
    greatest = next(field for field in fields(Settings) if field.name == "smtp_timeout").metadata["greatest"]

    assert timedelta(seconds=greatest) <= LEASE / 2


async def test_a_sent_mail_leaves_no_content_in_its_row(store: Store) -> None:
    await add_rows(store, a_row())

    await deliver_due(courier(store, Clock(), deliver_by(MemoryTransport())), store)

    (row,) = await rows_in(store, Outbox)
    assert (row.status, row.payload, row.claimed_until) == ("sent", {}, None)
    assert row.sent_at == Clock().now


async def test_several_couriers_deliver_each_row_once(store: Store) -> None:
    transport, clock = MemoryTransport(), Clock()
    await add_rows(store, *(a_row(number) for number in range(100, 140)))

    await asyncio.gather(*(deliver_due(courier(store, clock, deliver_by(transport)), store, clock) for _ in range(4)))

    ids = [mail["Message-ID"] for mail in transport.mails]
    assert len(ids) == len(set(ids)) == 40


async def test_many_waiting_notices_to_one_target_hold_up_neither_mails_nor_other_targets(store: Store) -> None:
    notices = [a_row(number, "notice") for number in range(100)]
    for notice in notices:
        notice.recipient = "slack"
        notice.next_attempt_at -= timedelta(hours=1)
    other_notice = a_row(100, "notice")
    await add_rows(store, *notices, a_row(101), other_notice)
    lease = partial(outbox.lease, now=NOW, until=NOW + LEASE, mails=8)

    rows = await store.write(lease)

    assert {row.recipient for row in rows} == {"slack", other_notice.recipient, a_row(101).recipient}
    assert len(rows) == 3


async def test_a_row_whose_courier_died_is_delivered_by_another(store: Store) -> None:
    clock, transport = Clock(), MemoryTransport()
    await add_rows(store, a_row())

    async def dying(row: Outbox) -> None:
        raise asyncio.CancelledError

    await deliver_due(courier(store, clock, dying), store, clock)
    heir = courier(store, clock, deliver_by(transport))
    await deliver_due(heir, store, clock)
    at_once = len(transport.mails)
    clock.advance(timedelta(minutes=6))
    await deliver_due(heir, store, clock)

    assert (at_once, len(transport.mails)) == (0, 1)


async def test_a_row_that_never_arrives_is_abandoned_and_logged(store: Store) -> None:
    clock = Clock()
    await add_rows(store, a_row())
    worker = courier(store, clock, failing)

    with capture_logs() as lines:
        for _ in range(30):
            await deliver_due(worker, store, clock)
            clock.advance(timedelta(hours=8))

    (row,) = await rows_in(store, Outbox)
    assert (row.status, row.last_error) == ("dead", "down")
    assert row.payload
    assert [line["event"] for line in lines if line["log_level"] == "error"] == ["outbox.given_up"]


async def test_mails_are_tried_again_after_a_week_without_power(store: Store) -> None:
    clock = Clock()
    await add_rows(store, a_row())
    clock.advance(timedelta(days=7))

    await deliver_due(courier(store, clock, failing), store, clock)

    assert (await rows_in(store, Outbox))[0].status == "waiting"


async def test_a_mail_that_cannot_be_composed_stops_no_other(store: Store) -> None:
    transport = MemoryTransport()
    post = deliver_by(transport)
    await add_rows(store, a_row(1), a_row(2))

    async def unwritable(row: Outbox) -> None:
        if row.reference == "Q-1":
            raise KeyError("full_name")
        await post(row)

    await deliver_due(courier(store, Clock(), unwritable), store)

    assert [row.status for row in await rows_in(store, Outbox)] == ["waiting", "sent"]


async def test_retry_times_are_randomised(store: Store) -> None:
    await add_rows(store, *(a_row(number) for number in range(1, 9)))

    await deliver_due(courier(store, Clock(), failing), store)

    assert len({row.next_attempt_at for row in await rows_in(store, Outbox)}) == 8


async def test_a_late_failure_does_not_touch_a_row_leased_by_another(store: Store) -> None:
    clock, transport = Clock(), MemoryTransport()
    await add_rows(store, a_row())
    heir = courier(store, clock, deliver_by(transport))

    async def slow(row: Outbox) -> None:
        clock.advance(timedelta(minutes=6))
        await deliver_due(heir, store, clock)
        raise NotDelivered("too late")

    await deliver_due(courier(store, clock, slow), store, clock)

    (row,) = await rows_in(store, Outbox)
    assert (row.status, row.attempts) == ("sent", 2)


async def test_a_mail_sent_while_the_database_was_busy_is_not_sent_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    transport, refusals, write = MemoryTransport(), [StoreUnavailable("locked")], store.write
    await add_rows(store, a_row())
    post = deliver_by(transport)

    async def write_later(job: Any) -> Any:
        if refusals:
            raise refusals.pop()
        return await write(job)

    async def deliver(row: Outbox) -> None:
        await post(row)
        monkeypatch.setattr(store, "write", write_later)

    await deliver_due(courier(store, Clock(), deliver), store)

    assert (refusals, len(transport.mails)) == ([], 1)
    assert (await rows_in(store, Outbox))[0].status == "sent"


async def test_a_woken_courier_delivers_at_once(store: Store) -> None:
    arrived = asyncio.Event()

    async def deliver(row: Outbox) -> None:
        arrived.set()

    worker = Courier(store, {"mail": deliver}, give_up=timedelta(hours=48), clock=Clock())
    running = asyncio.create_task(worker.deliver_forever())
    await store.read(lambda session: None)
    await add_rows(store, a_row())
    worker.wake()

    async with asyncio.timeout(2):  # much shorter than the pause between two looks
        await arrived.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_a_busy_courier_does_not_query_the_database(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, begun, full, go_on, read = 0, 0, asyncio.Event(), asyncio.Event(), store.read

    async def counting(job: Any) -> Any:
        nonlocal looks
        looks += job is outbox.next_due
        return await read(job)

    async def deliver(row: Outbox) -> None:
        nonlocal begun
        begun += 1
        if begun == 8:
            full.set()
        await go_on.wait()

    monkeypatch.setattr("site_app.provider.outbox.courier._PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(store, "read", counting)
    await add_rows(store, *(a_row(number) for number in range(1, 12)))
    worker = courier(store, Clock(), deliver)
    running = asyncio.create_task(worker.deliver_forever())
    await full.wait()
    looks_before = looks
    for _ in range(20):
        worker.wake()
        await read(lambda session: None)

    assert (looks - looks_before, begun) == (0, 8)
    go_on.set()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_the_deliveries_of_a_round_begin_one_after_the_other(store: Store) -> None:
    times: list[float] = []

    async def deliver(row: Outbox) -> None:
        times.append(asyncio.get_running_loop().time())

    await add_rows(store, *(a_row(number) for number in range(1, 9)))

    await deliver_due(courier(store, Clock(), deliver), store)

    assert len(times) == 8
    assert times[-1] - times[0] > 0.1


async def test_a_delivery_under_way_is_finished_at_a_shutdown(store: Store) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def deliver(row: Outbox) -> None:
        begun.set()
        await go_on.wait()

    await add_rows(store, a_row())
    running = asyncio.create_task(
        Courier(store, {"mail": deliver}, give_up=timedelta(hours=48), clock=Clock()).deliver_forever()
    )
    await begun.wait()
    running.cancel()
    go_on.set()
    await asyncio.gather(running, return_exceptions=True)

    assert (await rows_in(store, Outbox))[0].status == "sent"


@pytest.mark.parametrize(
    ("changes", "goes"),
    [
        ({"attempts": 1, "next_attempt_at": NOW + timedelta(hours=1)}, True),
        ({"attempts": 11, "next_attempt_at": NOW + timedelta(hours=8)}, True),
        ({"attempts": 0, "next_attempt_at": NOW + timedelta(minutes=2)}, True),
        ({"attempts": 18, "next_attempt_at": NOW + timedelta(days=36_500)}, True),
        ({"attempts": 1, "status": "sending", "claimed_until": NOW + timedelta(hours=1)}, True),
        *(({"attempts": count, "next_attempt_at": NOW + wait_after(count) * 1.2}, False) for count in (1, 11, 18)),
    ],
)
async def test_mails_delayed_by_a_fast_clock_go_at_once_and_others_wait(
    store: Store, changes: dict[str, Any], goes: bool
) -> None:
    transport, row = MemoryTransport(), a_row()
    for name, value in changes.items():
        setattr(row, name, value)
    await add_rows(store, row)

    await store.write(lambda session: outbox.correct_dates(session, now=Clock().now))
    await deliver_due(courier(store, Clock(), deliver_by(transport)), store)

    assert len(transport.mails) == goes
