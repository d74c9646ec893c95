"""How calls are counted in memory."""

import asyncio

import pytest
from limits import parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter

from site_app.http import limits

pytestmark = pytest.mark.anyio


class Watched(dict[str, float]):
    """When each key expires; counts how often all of them are looked through."""

    looked = 0

    def keys(self):
        self.looked += 1
        return super().keys()


async def times_looked_through(storage: MemoryStorage) -> int:
    storage.expirations = watched = Watched()
    counter = SlidingWindowCounterRateLimiter(storage)
    for number in range(100):
        await counter.hit(parse("10/minute"), f"198.51.100.{number}")
        await asyncio.sleep(0)
    return watched.looked


async def test_a_call_costs_no_more_when_many_addresses_call() -> None:
    assert await times_looked_through(limits.Memory()) == 1
    assert await times_looked_through(MemoryStorage()) > 50  # else the library has mended it, and ours can go


async def test_what_has_expired_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_CLEAR_EVERY_SECONDS", 0.0)
    storage = limits.Memory()
    await storage.incr("early", 0.01)
    await asyncio.sleep(0.02)

    await storage.incr("late", 60)
    await asyncio.sleep(0.01)

    assert set(storage.expirations) == {"late"}
