"""Whether the machine's clock can be right: if it is years wrong, a sweep would erase what must be kept."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlmodel import Session

from site_app.provider.store.tables import ClockReading, Lead, Meeting, Outbox

LONGEST_STEP = timedelta(days=7)
_LONGEST_SILENCE = timedelta(days=180)
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
    """Why this time is doubted, as a sentence; empty where it is not.

    The last sweep was ten minutes ago or, where the site was off, some days. Before the first sweep, as after an update from a
    version that noted none, the newest row is asked: no site is half a year without any.
    """
    seen = last_seen(session)
    if seen is None:
        newest = _newest_row(session)
        if newest is None or now - newest <= _LONGEST_SILENCE:
            return ""
        return f"The clock says {now:{_MINUTE}}, and the newest row is of {newest:{_MINUTE}}: nothing is erased"
    if abs(now - seen) <= LONGEST_STEP:
        return ""
    return f"The clock says {now:{_MINUTE}}, and the last sweep was at {seen:{_MINUTE}}: nothing is erased"


def _newest_row(session: Session) -> datetime | None:
    connection = session.connection()
    found = (connection.execute(select(func.max(table.created_at))).scalar() for table in (Lead, Meeting, Outbox))
    return max((moment for moment in found if moment), default=None)
