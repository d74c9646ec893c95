"""Logs failures by type and place, never by message: those of handlers, and those that browsers report. Tells the visitor of the first."""

import json
import re
from time import monotonic

import reflex as rx
import structlog
from redis.exceptions import RedisError
from reflex.event import EventSpec
from reflex.utils.exec import is_prod_mode

from site_app.core.metrics import count_refusal

log = structlog.get_logger()
_EVERY_SECONDS = 60.0


class ThrottledLog:
    """Logs the first problem of a kind at once, then at most one line a minute with the number since the last line."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._counted: dict[str, int] = {}
        self._logged_at: dict[str, float] = {}

    def count(self, problem: str) -> None:
        """Counts a problem; `problem` is a constant of the code, never a visitor's text."""
        count_refusal(self._event, problem)
        self._counted[problem] = self._counted.get(problem, 0) + 1
        now = monotonic()
        if now - self._logged_at.get(problem, -_EVERY_SECONDS) >= _EVERY_SECONDS:
            log.warning(self._event, problem=problem, count=self._counted.pop(problem))
            self._logged_at[problem] = now


_without_redis = ThrottledLog("states.redis_gone")
_in_browsers = ThrottledLog("browser.failed")
_JAVASCRIPT_ERROR = re.compile(
    r"\b((?:Type|Range|Reference|Syntax|Eval|URI|Aggregate)Error|(?:DOM|Security)Exception|NetworkError)\b"
)


def log_handler_error(exception: Exception) -> EventSpec | None:
    """Logs that a handler failed, and returns the event that shows a message on the page; in development it contains the error.

    Without Redis the visitor gets no message: forms get no acknowledgement and send the same submission by HTTP.
    """
    if isinstance(exception, RedisError):
        _without_redis.count(type(exception).__name__)
        return None
    log.error("handler.failed", exc_info=exception)
    content = "" if is_prod_mode() else f"{type(exception).__name__}: {exception}"
    return rx.call_script(f"refs.__failure({json.dumps(content)})")  # of components/messages/state_messages.js


def log_browser_error(exception: Exception) -> None:
    """Logs an error that a browser reports. Anybody can send any text in such a report, so only known error names are logged."""
    match = _JAVASCRIPT_ERROR.search(str(exception)[:2000])
    _in_browsers.count(match[1] if match else "other")
