"""What is said of a failure in a handler or in a browser: its type and place, never a word of it."""

import re

import structlog
from redis.exceptions import RedisError
from reflex.event import EventSpec

from site_app.serving.tally import Tally

log = structlog.get_logger()
_without_redis = Tally("states.redis_gone")
_in_browsers = Tally("browser.failed")
_KNOWN = re.compile(r"\b((?:Type|Range|Reference|Syntax|Eval|URI|Aggregate)Error|(?:DOM|Security)Exception|NetworkError)\b")


def failed_here(exception: Exception) -> EventSpec | None:
    """A handler failed: logged. The visitor's form hears nothing and takes the other way, over HTTP."""
    if isinstance(exception, RedisError):
        _without_redis.count(type(exception).__name__)
    else:
        log.error("handler.failed", exc_info=exception)
    return None


def failed_in_browser(exception: Exception) -> None:
    """A browser reports an error; whoever sends the report can write what he likes, so only names that are known are logged."""
    found = _KNOWN.search(str(exception)[:2000])
    _in_browsers.count(found[1] if found else "other")
