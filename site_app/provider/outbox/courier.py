"""The courier: leases due rows of the outbox, delivers them, retries failed ones later, and logs when it gives up."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

import stamina
import structlog
from sqlmodel import Session

from site_app.core.metrics import count_delivery
from site_app.core.settings import Settings
from site_app.core.settings.targets import WEBHOOK as FIRST_WEBHOOK
from site_app.provider.outbox import rows as outbox
from site_app.provider.outbox.rows import LEASE, SPREAD, lane_of, wait_after
from site_app.provider.outbox.targets import target_transports
from site_app.provider.outbox.transports import NotDelivered, mail_transport_of
from site_app.provider.store import Store, StoreUnavailable
from site_app.provider.store.tables import Outbox, OutboxKind

Deliver = Callable[[Outbox], Awaitable[None]]

_MAILS_AT_ONCE = 8  # concurrent mails, so that a stalled one does not hold up the others; a target gets one notice at a time
_LOOK_AGAIN_SECONDS = 5.0  # another process may have added a row without waking this one
# Between rounds. Composing a mail blocks the event loop for 3.5 ms (measured). With this pause a burst of leads sends
# 20 mails a second, and the rest of the time is left for visitors' requests.
_PAUSE_SECONDS = 0.4
# Between the deliveries of a round: composed one after the other, eight mails would block the event loop for 28 ms.
_SPACING_SECONDS = _PAUSE_SECONDS / _MAILS_AT_ONCE
_GRACE_SECONDS = 5.0  # that running deliveries have to end at a shutdown

log = structlog.get_logger()


def courier_for(
    settings: Settings,
    store: Store,
    compose: Callable[[Outbox, Settings], bytes],
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    deliver_other_kinds: Mapping[str, Deliver] | None = None,
) -> "Courier":
    """Returns the courier of this process.

    `compose` renders a row's mail, and `deliver_other_kinds` delivers rows of other kinds; both are passed in because they belong to
    other packages.
    """
    mail_transport = mail_transport_of(settings)
    transports_by_target = target_transports(settings, clock)

    async def send(row: Outbox) -> None:
        await mail_transport.send(compose(row, settings))

    async def notify(row: Outbox) -> None:
        # Rows of earlier releases hold the address of the one webhook there was.
        transport = transports_by_target.get(FIRST_WEBHOOK if "://" in row.recipient else row.recipient)
        if transport is None:  # removed from the settings after the row was written
            raise NotDelivered("NoTarget")
        await transport.send(row)

    deliver_by_kind = {
        OutboxKind.MAIL: send,
        OutboxKind.WEBHOOK: notify,
        OutboxKind.NOTICE: notify,
        **(deliver_other_kinds or {}),
    }
    return Courier(store, deliver_by_kind, give_up=settings.mail_give_up, clock=clock)


class Courier:
    """Delivers the rows of an outbox. Several processes may run one each: a row is leased to one courier at a time."""

    def __init__(
        self,
        store: Store,
        deliver_by_kind: Mapping[str, Deliver],
        *,
        give_up: timedelta,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._deliver_by_kind = deliver_by_kind
        self._give_up = give_up
        self._clock = clock
        self._woken = asyncio.Event()
        self._under_way: dict[asyncio.Task[None], str] = {}  # the lane of each delivery

    def wake(self) -> None:
        """Tells `deliver_forever` that a row was added. Must be called in the event loop of `deliver_forever`."""
        self._woken.set()

    async def deliver_forever(self) -> None:
        """Delivers until cancelled; running deliveries then have _GRACE_SECONDS to end."""
        try:
            while True:
                self._woken.clear()
                if not self._has_room():
                    await asyncio.wait(self._under_way, timeout=_PAUSE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                else:
                    pause = await self._begin_due()
                    await (self._wait(pause) if pause else asyncio.sleep(_PAUSE_SECONDS))
        finally:
            if self._under_way:
                _, unfinished = await asyncio.wait(self._under_way, timeout=_GRACE_SECONDS)
                for task in unfinished:
                    task.cancel()

    async def _begin_due(self) -> float:
        """Starts as many due deliveries as there are free places. Returns the seconds to wait for more work, or 0 for a short pause."""
        try:
            full = self._full_lanes()
            due = await self._store.read(partial(outbox.next_due, full=full))
            if due is None or due > self._clock():
                if full:  # do not look again for each new row while a lane is full
                    return 0.0
                return _LOOK_AGAIN_SECONDS if due is None else min((due - self._clock()).total_seconds(), _LOOK_AGAIN_SECONDS)
            # Asked again: there are fewer free places if a burst of leads began during the read.
            rows = await self._lease(self._full_lanes()) if self._has_room() else []
        except Exception as error:  # the database is busy, full or gone; the rows stay in it until it is back
            log.error("courier.paused", error=type(error).__name__)
            return _LOOK_AGAIN_SECONDS
        for place, row in enumerate(rows):
            task = asyncio.create_task(self._deliver(row, wait_seconds=place * _SPACING_SECONDS))
            self._under_way[task] = lane_of(row)
            task.add_done_callback(self._finished)
        # Pause even if no row could be leased because another process has it: otherwise each new lead would cause a query at once.
        return 0.0

    def _free_places(self) -> int:
        """Returns how many more mails may be sent now."""
        return (1 if self._store.busy else _MAILS_AT_ONCE) - list(self._under_way.values()).count(OutboxKind.MAIL)

    def _full_lanes(self) -> frozenset[str]:
        targets = frozenset(self._under_way.values()) - {OutboxKind.MAIL}
        return targets | {OutboxKind.MAIL} if self._free_places() <= 0 else targets

    def _has_room(self) -> bool:
        return self._free_places() > 0 or self._deliver_by_kind.keys() > {OutboxKind.MAIL}

    async def _wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._woken.wait()

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._under_way.pop(task, None)
        self._woken.set()

    async def _lease(self, full: Collection[str]) -> list[Outbox]:
        now = self._clock()
        mails = self._free_places()
        lease = partial(outbox.lease, now=now, until=now + LEASE, mails=mails, full=full)
        return await self._store.write(lease)

    async def _deliver(self, row: Outbox, *, wait_seconds: float) -> None:
        await asyncio.sleep(wait_seconds)
        began = time.monotonic()
        try:
            await self._deliver_by_kind[row.kind](row)
        except NotDelivered as error:
            settlement = self._settlement_of_failure(row, str(error))
        except Exception as error:  # a mail that cannot be composed must not stop the others
            settlement = self._settlement_of_failure(row, type(error).__name__)
        else:
            settlement = self._settlement_of_delivery(row, time.monotonic() - began)
        await self._settle(row, settlement)

    async def _settle(self, row: Outbox, settlement: Callable[[Session], None]) -> None:
        """Stores the outcome of a delivery. Retries for a long time, because a row without an outcome is sent again."""
        try:
            async for attempt in stamina.retry_context(on=StoreUnavailable, attempts=None, timeout=LEASE / 2):
                with attempt:
                    await self._store.write(settlement)
        except Exception as error:  # the lease expires, and the row is sent again with the same Message-ID
            log.error("outbox.not_settled", **_about(row), error=type(error).__name__)

    def _settlement_of_delivery(self, row: Outbox, seconds: float) -> Callable[[Session], None]:
        log.info("outbox.sent", **_about(row), seconds=round(seconds, 3))
        count_delivery(row.kind, row.template, "sent")
        now = self._clock()
        return lambda session: outbox.settle_sent(session, row, now=now)

    def _settlement_of_failure(self, row: Outbox, reason: str) -> Callable[[Session], None]:
        if time_spent(row.attempts) >= self._give_up:
            log.error("outbox.given_up", **_about(row), error=reason)
            count_delivery(row.kind, row.template, "given_up")
            return lambda session: outbox.settle_failed(session, row, reason=reason, due=None)
        wait = wait_after(row.attempts) * random.uniform(1 - SPREAD, 1 + SPREAD)  # noqa: S311  spreads load, guards nothing
        log.warning("outbox.delayed", **_about(row), error=reason, seconds=round(wait.total_seconds()))
        count_delivery(row.kind, row.template, "delayed")
        due = self._clock() + wait
        return lambda session: outbox.settle_failed(session, row, reason=reason, due=due)


def time_spent(attempts: int) -> timedelta:
    """Returns the sum of the waits between so many attempts. It is computed, so that time in which the machine was off does not count."""
    return sum((wait_after(number) for number in range(1, attempts)), timedelta())


def _about(row: Outbox) -> dict[str, object]:
    return {"kind": row.kind, "template": row.template, "reference": row.reference, "attempts": row.attempts}
