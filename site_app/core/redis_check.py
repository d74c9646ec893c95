"""Checks if Redis answers, for `doctor`, the start of the site and the meters."""

from dataclasses import dataclass

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import (
    AuthenticationError,
    AuthenticationWrongNumberOfArgsError,
    AuthorizationError,
    NoPermissionError,
    RedisError,
)
from redis.retry import Retry

from site_app.core.settings import masked

_TIMEOUT_SECONDS = 2.0
_REFUSALS = (AuthenticationError, AuthenticationWrongNumberOfArgsError, AuthorizationError, NoPermissionError)


@dataclass(frozen=True)
class RedisProblem:
    """A problem with Redis. `is_refusal` is True if Redis rejected user or password, so that waiting would not help."""

    text: str
    is_refusal: bool


def redis_problem(url: str) -> RedisProblem | None:
    """Pings Redis and returns the problem, or None. The text of the problem contains no password."""
    redis = Redis.from_url(
        url, socket_timeout=_TIMEOUT_SECONDS, socket_connect_timeout=_TIMEOUT_SECONDS, retry=Retry(NoBackoff(), 0)
    )
    try:
        redis.ping()
    except RedisError as error:
        return RedisProblem(f"{masked(url)}: {error}".rstrip("."), isinstance(error, _REFUSALS))
    finally:
        redis.close()
    return None
