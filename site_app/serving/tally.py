"""Counts what happens too often for a log line each."""

from time import monotonic

import structlog

from site_app.metrics import refused

log = structlog.get_logger()
_EVERY_SECONDS = 60.0


class Tally:
    """One line for the first of a kind and then at most one a minute, with how many there were since."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._counted: dict[str, int] = {}
        self._said_at: dict[str, float] = {}

    def count(self, problem: str) -> None:
        """Count one; `problem` is a constant of the code, never a visitor's words."""
        refused(self._event, problem)
        self._counted[problem] = self._counted.get(problem, 0) + 1
        now = monotonic()
        if now - self._said_at.get(problem, -_EVERY_SECONDS) >= _EVERY_SECONDS:
            log.warning(self._event, problem=problem, count=self._counted.pop(problem))
            self._said_at[problem] = now
