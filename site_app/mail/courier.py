"""The courier: claims what is due in the outbox, delivers it, tries again later, and says so when it gives up."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta

import stamina
import structlog
from sqlmodel import Session

from site_app.mail import claims
from site_app.mail.senders import NotDelivered
from site_app.metrics import delivered
from site_app.store import Store, StoreUnavailable
from site_app.store.tables import Outbox

Deliver = Callable[[Outbox], Awaitable[None]]

FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=6)
_SPREAD = 0.2  # of a wait, by chance
_CLOCKS_DIFFER = timedelta(minutes=1)  # between machines that share an outbox
_HANDS = 8  # deliveries at a time, so that a stalled one holds up no other
_LEASE = timedelta(minutes=5)  # well past every time-out: a claim that old belongs to a dead process
_DATES_EVERY = 60.0  # seconds
_LOOK_AGAIN = 5.0  # seconds; another process may have written what nobody here was woken for
# Writing a mail takes 3.5 ms of the event loop (measured): with a breath between turns a burst of leads keeps their
# mails to 32 a second, and the visitors' requests the rest of the time.
_BREATH = 0.25
_GRACE = 5.0  # seconds that deliveries under way have at a shutdown

log = structlog.get_logger()


class Courier:
    """Any number of them, in any number of processes, share one outbox; a row is in one pair of hands at a time."""

    def __init__(
        self,
        store: Store,
        ways: Mapping[str, Deliver],
        *,
        give_up: timedelta,
        clock: Callable[[], datetime],
        chance: random.Random | None = None,
    ) -> None:
        self._store, self._ways, self._give_up = store, ways, give_up
        self._clock, self._chance = clock, chance or random.Random()  # noqa: S311  spreads load, guards nothing
        self._woken = asyncio.Event()
        self._under_way: set[asyncio.Task[None]] = set()
        self._look_at_dates_at = 0.0

    def wake(self) -> None:
        """Say that something was written, in the loop that `run` is in."""
        self._woken.set()

    async def run(self) -> None:
        """Deliver until cancelled; what is under way then gets a moment to end."""
        try:
            while True:
                self._woken.clear()
                if self._free_hands() <= 0:
                    await asyncio.wait(self._under_way, timeout=_BREATH, return_when=asyncio.FIRST_COMPLETED)
                else:
                    pause = await self._turn()
                    await (self._rest(pause) if pause else asyncio.sleep(_BREATH))
        finally:
            if self._under_way:
                _, late = await asyncio.wait(self._under_way, timeout=_GRACE)
                for task in late:
                    task.cancel()

    async def deliver_due(self) -> int:
        """Try once everything that is due now, and return how many rows that were."""
        tried = 0
        await self._look_at_dates()
        while rows := await self._claim(_HANDS):
            await asyncio.gather(*(self._deliver(row) for row in rows))
            tried += len(rows)
        return tried

    async def _turn(self) -> float:
        """Set free hands to work; returns the seconds until there may be more to do."""
        try:
            await self._look_at_dates()
            due = await self._store.read(claims.next_due)
            if due is None or due > self._clock():
                return _LOOK_AGAIN if due is None else min((due - self._clock()).total_seconds(), _LOOK_AGAIN)
            free = self._free_hands()  # fewer than before the look, if leads have begun to pour in
            rows = await self._claim(free) if free > 0 else []
        except Exception as error:  # the database is busy, full or gone: the outbox waits in it
            log.error("courier.paused", error=type(error).__name__)
            return _LOOK_AGAIN
        for row in rows:
            task = asyncio.create_task(self._deliver(row))
            self._under_way.add(task)
            task.add_done_callback(self._lay_down)
        return 0.0  # a breath also without a row: another process has it in hand, and each new lead would wake us to look again

    def _free_hands(self) -> int:
        return (1 if self._store.busy else _HANDS) - len(self._under_way)

    async def _rest(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            pass

    def _lay_down(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._woken.set()

    async def _claim(self, limit: int) -> list[Outbox]:
        now = self._clock()
        return await self._store.write(lambda session: claims.claim(session, now=now, until=now + _LEASE, limit=limit))

    async def _look_at_dates(self) -> None:
        """Once a minute: what a clock that was ahead has put off by days must not wait that long."""
        if time.monotonic() < self._look_at_dates_at:
            return
        self._look_at_dates_at = time.monotonic() + _DATES_EVERY
        now = self._clock()
        count = await self._store.write(
            lambda session: claims.forget_impossible_dates(session, now=now, lease=_LEASE, longest=longest_wait_after)
        )
        if count:
            log.warning("outbox.dates_corrected", count=count)

    async def _deliver(self, row: Outbox) -> None:
        began = time.monotonic()
        try:
            await self._ways[row.kind](row)
        except NotDelivered as error:
            settle = self._missed(row, str(error))
        except Exception as error:  # a letter that cannot be written must not stop the others
            settle = self._missed(row, type(error).__name__)
        else:
            settle = self._arrived(row, time.monotonic() - began)
        await self._settle(row, settle)

    async def _settle(self, row: Outbox, settle: Callable[[Session], None]) -> None:
        """Write down how it ended, and not give up soon: what is not written down is sent again."""
        try:
            async for attempt in stamina.retry_context(on=StoreUnavailable, attempts=None, timeout=_LEASE / 2):
                with attempt:
                    await self._store.write(settle)
        except Exception as error:  # the claim runs out by itself, then it is tried again under the same Message-ID
            log.error("outbox.not_settled", **_about(row), error=type(error).__name__)

    def _arrived(self, row: Outbox, seconds: float) -> Callable[[Session], None]:
        log.info("outbox.sent", **_about(row), seconds=round(seconds, 3))
        delivered(row.kind, row.template, "sent")
        now = self._clock()
        return lambda session: claims.settle_sent(session, row, now=now)

    def _missed(self, row: Outbox, why: str) -> Callable[[Session], None]:
        if spent(row.attempts) >= self._give_up:
            log.error("outbox.given_up", **_about(row), error=why)
            delivered(row.kind, row.template, "given_up")
            return lambda session: claims.settle_dead(session, row, why=why)
        wait = wait_after(row.attempts) * self._chance.uniform(1 - _SPREAD, 1 + _SPREAD)
        log.warning("outbox.delayed", **_about(row), error=why, seconds=round(wait.total_seconds()))
        delivered(row.kind, row.template, "delayed")
        due = self._clock() + wait
        return lambda session: claims.settle_later(session, row, why=why, due=due)


def wait_after(attempts: int) -> timedelta:
    """How long to wait after so many attempts, before chance spreads it."""
    return min(FIRST_WAIT * 2 ** min(attempts - 1, 20), LONGEST_WAIT)


def longest_wait_after(attempts: int) -> timedelta:
    """What a row with so many attempts may still wait at most, whenever it was written down."""
    return wait_after(attempts) * (1 + _SPREAD) + _CLOCKS_DIFFER if attempts else _CLOCKS_DIFFER


def spent(attempts: int) -> timedelta:
    """The time so many attempts have been spread over; a count, so that a machine that was off loses nothing."""
    return sum((wait_after(number) for number in range(1, attempts)), timedelta())


def _about(row: Outbox) -> dict[str, object]:
    return {"kind": row.kind, "template": row.template, "reference": row.reference, "attempts": row.attempts}
