"""Rate limits per person and per network, in memory or in Redis for several processes.

A request is counted before it is read. The count is given back if the request is refused, fails, or repeats an earlier one.
"""

from collections.abc import Awaitable, Mapping
from math import ceil
from time import monotonic

import structlog
from limits import RateLimitItem, RateLimitItemPerDay, parse_many
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from starlette.requests import HTTPConnection
from starlette.responses import Response

from site_app.core.http.client_ip import client_ip, network_of
from site_app.core.http.refusals import CallRefused
from site_app.core.i18n import t, tn
from site_app.core.settings import Settings

log = structlog.get_logger()
_WITHOUT_REDIS_SECONDS = 2.0  # after a failure of Redis it is not called for this long, so that not every request waits for it
_COUNTED_TOGETHER = ("submissions", "holds")  # one count for the API, plain pages and the socket together
_COUNTED_WHEN_NEW = ("person", "long-submissions")
MAX_SHORT_SUBMISSION_BYTES = 4096  # all fields filled to their limits take some 30,000
_NETWORK_FACTOR = 6  # an office behind one address may send six times what one person may
_WINDOWS_BEFORE_CLEANUP = 1000  # windows stored before the first cleanup of expired ones
_COUNT_SCRIPT = """
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
    """Counts in Redis, or in memory while Redis is unreachable, so that a broken counter never refuses a visitor."""

    def __init__(self, settings: Settings) -> None:
        person = parse_many(settings.limit_submissions)
        sign_in = parse_many(settings.limit_sign_in)
        self._rules = {
            "person": person,
            "submissions": _network_rules(person),
            "long-submissions": [RateLimitItemPerDay(settings.submissions_a_day_mb * 1_000_000)],  # bytes
            "sign-in": sign_in,
            "sign-in-network": _network_rules(sign_in),
            "sign-in-address": sign_in,
            "uploads": parse_many(settings.limit_uploads),
            "holds": parse_many(settings.limit_holds),
            "reads": parse_many(settings.limit_reads),
        }
        self._memory = Windows()
        self._redis_counts = SharedWindows(settings.redis_url) if settings.redis_url else None
        self._has_redis = True
        self._without_redis_until = 0.0

    async def count_and_get_wait(self, group: str, *names: str, amount: int = 1) -> int:
        """Counts a request under each name and returns 0, or returns the seconds to wait without counting it."""
        return await self._add(amount, group, names)

    async def give_back(self, group: str, *names: str, amount: int = 1) -> None:
        """Takes back a count."""
        await self._add(-amount, group, names)

    async def close(self) -> None:
        if self._redis_counts:
            await self._redis_counts.close()

    async def _add(self, amount: int, group: str, names: tuple[str, ...]) -> int:
        rules = {rule.key_for(group, name): rule for name in names for rule in self._rules[group]}
        if self._redis_counts and rules and monotonic() >= self._without_redis_until:
            try:
                seconds = await self._redis_counts.add(amount, rules)
            except RedisError:
                self._without_redis_until = monotonic() + _WITHOUT_REDIS_SECONDS
                self._log_change(has_redis=False)
            else:
                self._log_change(has_redis=True)
                return seconds
        return self._memory.add(amount, rules)

    def _log_change(self, *, has_redis: bool) -> None:
        """Logs a line when Redis fails and one when it is back, not one per request in between."""
        if has_redis != self._has_redis:
            self._has_redis = has_redis
            log.warning("limits.redis_back" if has_redis else "limits.redis_gone")


class Admission:
    """The counts of one request against its limits.

    The limit of a network is high, because an office shares one address; it also counts invalid requests. A person is one mail address
    or form token; that limit counts only new accepted submissions, so that neither correcting a form nor repeating one whose reply was lost
    locks anybody out. Our own failures never count.
    """

    def __init__(self, limits: Limits, settings: Settings, request: HTTPConnection) -> None:
        self._limits = limits
        self._email = settings.brand_email
        self._network = network_of(client_ip(request, settings))
        self._counted: list[tuple[int, str, tuple[str, ...]]] = []
        self.is_repeated = False  # True if the submission was stored before

    async def count_network(self, group: str, call: str) -> None:
        """Counts a request of the network, or raises CallRefused."""
        await self._count(group, self._network if group in _COUNTED_TOGETHER else f"{call} {self._network}")

    async def count_person(self, *names: str) -> None:
        """Counts a submission of the person under each of their names, or raises CallRefused."""
        await self._count("person", *names)

    async def count_bytes(self, size: int) -> None:
        """Counts the bytes of a long submission against the network's daily limit, or raises CallRefused. Always allows a short one."""
        if size > MAX_SHORT_SUBMISSION_BYTES:
            await self._count("long-submissions", self._network, amount=size)

    async def give_back_if_failed(self, response: Awaitable[Response]) -> Response:
        """Awaits the response and gives back the counts that do not apply to its status."""
        try:
            reply = await response
        except Exception:  # our own failure must not count against the caller
            await self._give_back(500)
            raise
        await self._give_back(reply.status_code)
        return reply

    async def _give_back(self, status: int) -> None:
        for amount, group, names in self._counted:
            stored_nothing = status >= 400 or self.is_repeated
            if status >= 500 or (stored_nothing and group in _COUNTED_WHEN_NEW):
                await self._limits.give_back(group, *names, amount=amount)

    async def _count(self, group: str, *names: str, amount: int = 1) -> None:
        if seconds := await self._limits.count_and_get_wait(group, *names, amount=amount):
            raise CallRefused(429, "too_many", too_many(seconds, self._email), retry_after=seconds)
        self._counted.append((amount, group, names))


def too_many(seconds: int, email: str) -> str:
    """Returns the message for a refused visitor: how long to wait, and the mail address to write to instead."""
    minutes = -(-seconds // 60)
    wait = tn("a second", "{count} seconds", seconds) if seconds < 60 else tn("a minute", "{count} minutes", minutes)
    return t(
        "That’s a lot of requests at once. Nothing is lost: please try again in {wait}, or email {email}.",
        wait=wait,
        email=email,
    )


def _network_rules(rules: list[RateLimitItem]) -> list[RateLimitItem]:
    """Returns the limits of a network from those of a person."""
    return [type(rule)(_NETWORK_FACTOR * rule.amount, rule.multiples) for rule in rules]


class Windows:
    """Counts each key since its window began. Windows are fixed, because only a fixed window has a known end."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, float]] = {}
        self._cleanup_at = _WINDOWS_BEFORE_CLEANUP

    def add(self, amount: int, rules: Mapping[str, RateLimitItem]) -> int:
        """Adds to every count, or to none if one exceeds its limit; returns the seconds until that window ends, or 0."""
        now = monotonic()
        wait = 0
        for key, rule in rules.items():
            count, ends = self._counts.get(key, (0, 0.0))
            if ends <= now:
                count = 0
                ends = now + rule.get_expiry()
            self._counts[key] = count + amount, ends
            if count + amount > rule.amount:
                wait = max(wait, ceil(ends - now))
        if wait:
            self.add(-amount, rules)
        if len(self._counts) > self._cleanup_at:  # only once the number has doubled: a cleanup takes time for each address
            self._counts = {key: window for key, window in self._counts.items() if window[1] > now}
            self._cleanup_at = 2 * len(self._counts) + _WINDOWS_BEFORE_CLEANUP
        return wait


class SharedWindows:
    """Counts as Windows does, but in Redis, in one round trip."""

    def __init__(self, url: str) -> None:
        one_retry = Retry(NoBackoff(), 1)  # an idle connection may have been closed
        self._redis = Redis.from_url(url, socket_timeout=0.5, socket_connect_timeout=0.5, retry=one_retry)
        self._script = self._redis.register_script(_COUNT_SCRIPT)

    async def close(self) -> None:
        await self._redis.aclose()

    async def add(self, amount: int, rules: Mapping[str, RateLimitItem]) -> int:
        bounds = (bound for rule in rules.values() for bound in (rule.amount, rule.get_expiry()))
        return int(await self._script(keys=[*rules], args=[amount, *bounds]))
