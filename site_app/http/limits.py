"""How often one person and one network may call: counted in memory, or in Redis for several processes.

A request is counted before it is read, and what it was counted as is given back where it has come to nothing.
"""

from math import ceil
from time import monotonic, time

import structlog
from limits import RateLimitItem, parse_many
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import StorageError
from starlette.requests import HTTPConnection

from site_app.http.addresses import address_of, neighbourhood
from site_app.http.refusals import CallRefused
from site_app.i18n import t, tn
from site_app.settings import Settings

log = structlog.get_logger()
_CLEAR_EVERY_SECONDS = 10.0
_ALONE_SECONDS = 2.0  # after Redis has failed it is left alone: a call must not wait for it again and again
_ONE_COUNT = ("submissions", "holds")  # of all ways together: calls, pages and socket
_PEOPLE = 6  # so many of one network may each use up their own allowance


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
        person, sign_in = parse_many(settings.limit_submissions), parse_many(settings.limit_sign_in)
        self._rules = {
            "person": person,
            "submissions": _of_network(person),
            "sign-in": sign_in,
            "sign-in-network": _of_network(sign_in),
            "uploads": parse_many(settings.limit_uploads),
            "holds": parse_many(settings.limit_holds),
            "reads": parse_many(settings.limit_reads),
        }
        self._alone = FixedWindowRateLimiter(Memory())
        self._together = _in_redis(settings.redis_url) if settings.redis_url else None
        self._has_redis, self._alone_until = True, 0.0

    async def wait(self, group: str, *key: str) -> int:
        """Count a call; returns 0, or the seconds until the next one is taken, and then it was not counted."""
        counted: list[RateLimitItem] = []
        for rule in self._rules[group]:
            counted.append(rule)
            if seconds := await self._count(rule, 1, group, *key):
                for one in counted:
                    await self._count(one, -1, group, *key)
                return seconds
        return 0

    async def give_back(self, group: str, *key: str) -> None:
        """Count a call no longer."""
        for rule in self._rules[group]:
            await self._count(rule, -1, group, *key)

    async def _count(self, rule: RateLimitItem, cost: int, *key: str) -> int:
        if self._together and monotonic() >= self._alone_until:
            try:
                seconds = await _hit(self._together, rule, cost, *key)
            except StorageError:
                self._alone_until = monotonic() + _ALONE_SECONDS
                self._tell(has_redis=False)
            else:
                self._tell(has_redis=True)
                return seconds
        return await _hit(self._alone, rule, cost, *key)

    def _tell(self, *, has_redis: bool) -> None:
        """A line when it goes and one when it is back, not one for each call between."""
        if has_redis != self._has_redis:
            self._has_redis = has_redis
            log.warning("limits.redis_back" if has_redis else "limits.redis_gone")


class Admission:
    """What one request has used up of its limits.

    A network is generous, since an office has one address; it counts garbage too. A person is one mail address or form token, and
    counts only what was taken, so that whoever corrects a form is not locked out. A failure of ours counts nowhere.
    """

    def __init__(self, limits: Limits, settings: Settings, request: HTTPConnection) -> None:
        self._limits, self._email = limits, settings.brand_email
        self._network = neighbourhood(address_of(request, settings))
        self._counted: list[tuple[str, ...]] = []

    async def network(self, group: str, call: str) -> None:
        """Count a call of the network's, or refuse it."""
        await self._count(group, *(() if group in _ONE_COUNT else (call,)), self._network)

    async def person(self, *names: str) -> None:
        """Count a submission of the person who goes by each of these names, or refuse it."""
        for name in names:
            await self._count("person", name)

    async def settle(self, status: int) -> None:
        """Give back what the answer of this status is not to count."""
        for group, *key in self._counted:
            if status >= 500 or (status >= 400 and group == "person"):
                await self._limits.give_back(group, *key)

    async def _count(self, group: str, *key: str) -> None:
        if seconds := await self._limits.wait(group, *key):
            raise CallRefused(429, "too_many", too_many(seconds, self._email), retry_after=seconds)
        self._counted.append((group, *key))


def too_many(seconds: int, email: str) -> str:
    """What to do about it: how long to wait, and where else to write."""
    minutes = -(-seconds // 60)
    wait = tn("a second", "{count} seconds", seconds) if seconds < 60 else tn("a minute", "{count} minutes", minutes)
    return t(
        "That’s a lot of requests at once. Nothing is lost: please try again in {wait}, or email {email}",
        wait=wait,
        email=email,
    )


def _of_network(rules: list[RateLimitItem]) -> list[RateLimitItem]:
    return [type(rule)(_PEOPLE * rule.amount, rule.multiples) for rule in rules]


async def _hit(counter: FixedWindowRateLimiter, rule: RateLimitItem, cost: int, *key: str) -> int:
    """0, or the seconds until the window ends that is full; a fixed one, since only that can say so to the second."""
    if await counter.hit(rule, *key, cost=cost):
        return 0
    return max(1, ceil((await counter.get_window_stats(rule, *key)).reset_time - time()))


def _in_redis(url: str) -> FixedWindowRateLimiter:
    storage = RedisStorage(
        f"async+{url}", wrap_exceptions=True, implementation="redispy", socket_timeout=0.5, socket_connect_timeout=0.5
    )
    return FixedWindowRateLimiter(storage)
