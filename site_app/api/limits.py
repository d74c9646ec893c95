"""How often one person and one network may call: counted in memory, or in Redis for several processes."""

from collections.abc import Mapping
from math import ceil
from time import monotonic

import structlog
from limits import RateLimitItem, parse_many
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from site_app.settings import Settings

log = structlog.get_logger()
_ALONE_SECONDS = 2.0  # after Redis has failed it is left alone: a call must not wait for it again and again
_PEOPLE = 6  # so many of one network may each use up their own allowance
_FEW = 1000  # windows that are kept before the first look for those that are over
_ADD = """
local wait = 0
for number, key in ipairs(KEYS) do
  local count = redis.call('INCRBY', key, ARGV[1])
  if redis.call('TTL', key) < 0 then redis.call('EXPIRE', key, ARGV[2 * number + 1]) end
  if count > tonumber(ARGV[2 * number]) then wait = math.max(wait, redis.call('TTL', key), 1) end
end
if wait > 0 then
  for _, key in ipairs(KEYS) do redis.call('DECRBY', key, ARGV[1]) end
end
return wait
"""


class Limits:
    """Without its Redis it counts alone: a visitor is never refused because of a broken counter."""

    def __init__(self, settings: Settings) -> None:
        person = parse_many(settings.limit_submissions)
        self._rules = {
            "person": person,
            "submissions": [type(rule)(_PEOPLE * rule.amount, rule.multiples) for rule in person],
            "uploads": parse_many(settings.limit_uploads),
            "holds": parse_many(settings.limit_holds),
            "reads": parse_many(settings.limit_reads),
        }
        self._alone = Windows()
        self._together = SharedWindows(settings.redis_url) if settings.redis_url else None
        self._has_redis, self._alone_until = True, 0.0

    async def wait(self, group: str, *names: str) -> int:
        """Count a call under each name; returns 0, or the seconds until the next one is taken, and then it was not counted."""
        return await self._add(1, group, names)

    async def give_back(self, group: str, *names: str) -> None:
        """Count a call no longer."""
        await self._add(-1, group, names)

    async def close(self) -> None:
        if self._together:
            await self._together.close()

    async def _add(self, number: int, group: str, names: tuple[str, ...]) -> int:
        rules = {rule.key_for(group, name): rule for name in names for rule in self._rules[group]}
        if self._together and rules and monotonic() >= self._alone_until:
            try:
                seconds = await self._together.add(number, rules)
            except RedisError:
                self._alone_until = monotonic() + _ALONE_SECONDS
                self._tell(has_redis=False)
            else:
                self._tell(has_redis=True)
                return seconds
        return self._alone.add(number, rules)

    def _tell(self, *, has_redis: bool) -> None:
        """A line when it goes and one when it is back, not one for each call between."""
        if has_redis != self._has_redis:
            self._has_redis = has_redis
            log.warning("limits.redis_back" if has_redis else "limits.redis_gone")


class Windows:
    """How often each key has come since its window began; a window is fixed, since only such a one can say when it ends."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, float]] = {}
        self._look_at = _FEW

    def add(self, number: int, rules: Mapping[str, RateLimitItem]) -> int:
        """Add to every count, or where one of them is full to none; returns the seconds until none is."""
        now, wait = monotonic(), 0
        for key, rule in rules.items():
            count, ends = self._counts.get(key, (0, 0.0))
            if ends <= now:
                count, ends = 0, now + rule.get_expiry()
            self._counts[key] = count + number, ends
            if count + number > rule.amount:
                wait = max(wait, ceil(ends - now))
        if wait:
            self.add(-number, rules)
        if len(self._counts) > self._look_at:  # it has doubled: looked through with each call, every address would cost more
            self._counts = {key: window for key, window in self._counts.items() if window[1] > now}
            self._look_at = 2 * len(self._counts) + _FEW
        return wait


class SharedWindows:
    """The same in Redis, in one question."""

    def __init__(self, url: str) -> None:
        once_more = Retry(NoBackoff(), 1)  # on a connection that had been closed while it rested
        self._redis = Redis.from_url(url, socket_timeout=0.5, socket_connect_timeout=0.5, retry=once_more)
        self._script = self._redis.register_script(_ADD)

    async def close(self) -> None:
        await self._redis.aclose()

    async def add(self, number: int, rules: Mapping[str, RateLimitItem]) -> int:
        bounds = (bound for rule in rules.values() for bound in (rule.amount, rule.get_expiry()))
        return await self._script(keys=[*rules], args=[number, *bounds])
