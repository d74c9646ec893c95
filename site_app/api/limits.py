"""How often one address may call: counted in memory, or in Redis for several processes."""

from time import monotonic

import structlog
from limits import RateLimitItem, parse_many
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from limits.errors import StorageError

from site_app.settings import Settings

log = structlog.get_logger()
_CLEAR_EVERY_SECONDS = 10.0
_ALONE_SECONDS = 2.0  # after Redis has failed it is left alone: a call must not wait for it again and again


class Memory(MemoryStorage):
    """Clears away now and then what has expired; the library's own looks through every address there is with each call."""

    _cleared = -_CLEAR_EVERY_SECONDS

    async def _MemoryStorage__schedule_expiry(self) -> None:  # noqa: N802  the library's own name for it
        if monotonic() - self._cleared >= _CLEAR_EVERY_SECONDS:
            self._cleared = monotonic()
            await super()._MemoryStorage__schedule_expiry()  # pyright: ignore[reportAttributeAccessIssue]


class Limits:
    """Without its Redis it counts alone: a visitor is never refused because of a broken counter."""

    def __init__(self, settings: Settings) -> None:
        self._rules = {
            "submissions": parse_many(settings.limit_submissions),
            "uploads": parse_many(settings.limit_uploads),
            "holds": parse_many(settings.limit_holds),
            "reads": parse_many(settings.limit_reads),
        }
        self._alone = SlidingWindowCounterRateLimiter(Memory())
        self._together = _in_redis(settings.redis_url) if settings.redis_url else None
        self._has_redis, self._alone_until = True, 0.0

    async def wait(self, group: str, call: str, address: str) -> int:
        """Count a call; returns 0, or the seconds until the next one is taken."""
        for rule in self._rules[group]:
            if seconds := await self._over(rule, call, address):
                return seconds
        return 0

    async def _over(self, rule: RateLimitItem, *key: str) -> int:
        if self._together and monotonic() >= self._alone_until:
            try:
                seconds = await _hit(self._together, rule, *key)
            except StorageError:
                self._alone_until = monotonic() + _ALONE_SECONDS
                self._tell(has_redis=False)
            else:
                self._tell(has_redis=True)
                return seconds
        return await _hit(self._alone, rule, *key)

    def _tell(self, *, has_redis: bool) -> None:
        """A line when it goes and one when it is back, not one for each call between."""
        if has_redis != self._has_redis:
            self._has_redis = has_redis
            log.warning("limits.redis_back" if has_redis else "limits.redis_gone")


async def _hit(counter: SlidingWindowCounterRateLimiter, rule: RateLimitItem, *key: str) -> int:
    if await counter.hit(rule, *key):
        return 0
    return max(1, rule.get_expiry() // rule.amount)


def _in_redis(url: str) -> SlidingWindowCounterRateLimiter:
    storage = RedisStorage(
        f"async+{url}", wrap_exceptions=True, implementation="redispy", socket_timeout=0.5, socket_connect_timeout=0.5
    )
    return SlidingWindowCounterRateLimiter(storage)
