"""Whether Redis takes the site: asked at each start, and by doctor."""

import sys
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

from site_app.cli.printing import complain
from site_app.core.settings import Settings, masked

_SECONDS = 2.0
_REFUSALS = (AuthenticationError, AuthenticationWrongNumberOfArgsError, AuthorizationError, NoPermissionError)


@dataclass(frozen=True)
class RedisProblem:
    """`is_refusal`: Redis has answered and takes neither user nor password, so that waiting would not help."""

    text: str
    is_refusal: bool


def redis_problem(url: str) -> RedisProblem | None:
    """Ask Redis for a sign of life; the text of a problem holds no password."""
    redis = Redis.from_url(url, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS, retry=Retry(NoBackoff(), 0))
    try:
        redis.ping()
    except RedisError as error:
        return RedisProblem(f"{masked(url)}: {error}".rstrip("."), isinstance(error, _REFUSALS))
    finally:
        redis.close()
    return None


def refuse_wrong_password(settings: Settings) -> None:
    """End here where Redis refuses the site. One that is away is told and no more: the site takes leads without it."""
    problem = redis_problem(settings.redis_url) if settings.redis_url else None
    if problem and problem.is_refusal:
        sys.exit(f"Redis does not take the site: {problem.text}. Look at user and password in SITE_REDIS_URL.")
    if problem:
        complain(f"Redis does not answer: {problem.text}. Until it does, each process counts its limits alone.")
