"""Whether the machine's clock can be right: if it is years wrong, a sweep would erase what must be kept."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlmodel import Session

from site_app.store.tables import ClockReading

LONGEST_STEP = timedelta(days=7)
_ONLY = 1
_MINUTE = "%Y-%m-%d %H:%M UTC"


class ClockDoubted(Exception):
    """Why nothing is erased, and what the operator can do, as sentences."""


class SteadyClock:
    """The machine's clock, except where it goes back: rows written then would look years old once the clock is right.

    Where it is behind by more than LONGEST_STEP, the time seen last is counted on instead.
    """

    def __init__(
        self, machine: Callable[[], datetime], seen: datetime | None = None, counter: Callable[[], float] = time.monotonic
    ) -> None:
        self.machine, self._counter = machine, counter
        now = machine()
        self.saw(now if seen is None or abs(now - seen) <= LONGEST_STEP else seen)

    def __call__(self) -> datetime:
        now = self.machine()
        expected = self._seen + timedelta(seconds=self._counter() - self._seen_when)
        return expected if now < expected - LONGEST_STEP else now

    def saw(self, moment: datetime) -> None:
        """Take this moment as right; the clock is judged by it from now on."""
        self._seen, self._seen_when = moment, self._counter()


def last_seen(session: Session) -> datetime | None:
    """When the last sweep was; None before the first one."""
    reading = session.get(ClockReading, _ONLY)
    return reading.seen_at if reading else None


def note_time(session: Session, now: datetime, *, sure: bool = False) -> None:
    """Note this time as the last one seen; raises ClockDoubted where it is too far from that, unless the operator is `sure`."""
    problem = "" if sure else clock_problem(session, now)
    if problem:
        raise ClockDoubted(problem)
    session.merge(ClockReading(id=_ONLY, seen_at=now))


def clock_problem(session: Session, now: datetime) -> str:
    """Why this time is doubted, as a sentence; empty where it is not: the last sweep was ten minutes ago, or some days where the site was off."""
    seen = last_seen(session)
    if seen is None or abs(now - seen) <= LONGEST_STEP:
        return ""
    return f"The clock says {now:{_MINUTE}}, and the last sweep was at {seen:{_MINUTE}}: nothing is erased"
