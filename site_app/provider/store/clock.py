"""Checks the machine's clock before anything is erased: a clock that is years ahead would make the sweep erase new rows.

The table `clock_reading` holds the last sweep. A clock more than a week away from it erases nothing until the operator confirms it.
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlmodel import Session

from site_app.provider.store.dialects import insert_statement
from site_app.provider.store.tables import ClockReading, Lead, Meeting, Outbox

MAX_STEP = timedelta(days=7)
CLOCK_TOLERANCE = timedelta(minutes=1)  # between machines that share a database
_MAX_SILENCE = timedelta(days=180)
_READING_ID = 1  # the table has a single row
_MINUTE_FORMAT = "%Y-%m-%d %H:%M UTC"


class ClockDoubted(Exception):
    """Raised instead of erasing rows by a clock that may be wrong. The message is a sentence for the operator."""


class SteadyClock:
    """The machine's clock, unless it jumps back: rows written then would look years old once the clock is right again.

    While the machine is behind by more than MAX_STEP, time is counted on from the last trusted moment.
    """

    def __init__(
        self,
        machine: Callable[[], datetime],
        last_sweep: datetime | None = None,
        counter: Callable[[], float] = time.monotonic,
    ) -> None:
        self.machine = machine
        self._counter = counter
        now = machine()
        self.trust(now if last_sweep is None or abs(now - last_sweep) <= MAX_STEP else last_sweep)

    def __call__(self) -> datetime:
        now = self.machine()
        expected = self._trusted + timedelta(seconds=self._counter() - self._trusted_at_count)
        return expected if now < expected - MAX_STEP else now

    def trust(self, moment: datetime) -> None:
        """Takes this moment as the right time and compares the machine's clock with it from now on."""
        self._trusted = moment
        self._trusted_at_count = self._counter()


def last_sweep_at(session: Session) -> datetime | None:
    """Returns the time of the last sweep, or None before the first one."""
    reading = session.get(ClockReading, _READING_ID)
    return reading.seen_at if reading else None


def note_time(session: Session, now: datetime, *, confirmed: bool = False) -> None:
    """Stores this time as that of the last sweep. Raises ClockDoubted if it is implausible, unless the operator `confirmed` it."""
    problem = "" if confirmed else clock_problem(session, now)
    if problem:
        raise ClockDoubted(problem)
    row = insert_statement(session, ClockReading).values(id=_READING_ID, seen_at=now)
    # Two processes that start together both find no row.
    session.connection().execute(row.on_conflict_do_update(index_elements=["id"], set_={"seen_at": now}))


def clock_problem(session: Session, now: datetime) -> str:
    """Returns a sentence that says why this time is implausible, or "" if it is plausible.

    It is compared with the last sweep, which was ten minutes ago, or some days if the site was off. Before the first sweep it is
    compared with the newest row: every site gets at least one row in half a year.
    """
    last_sweep = last_sweep_at(session)
    if last_sweep is None:
        newest = _newest_row(session)
        if newest is None or now - newest <= _MAX_SILENCE:
            return ""
        return f"The clock says {now:{_MINUTE_FORMAT}}, and the newest row is of {newest:{_MINUTE_FORMAT}}: nothing is erased"
    if abs(now - last_sweep) <= MAX_STEP:
        return ""
    return f"The clock says {now:{_MINUTE_FORMAT}}, and the last sweep was at {last_sweep:{_MINUTE_FORMAT}}: nothing is erased"


def difference_from_database(session: Session, now: datetime) -> str:
    """Returns a sentence if this time is not that of PostgreSQL's machine, which other processes share; "" on SQLite."""
    if session.get_bind().dialect.name != "postgresql":
        return ""
    at_database = session.connection().execute(select(func.clock_timestamp())).scalar_one()
    if abs(now - at_database) <= CLOCK_TOLERANCE:
        return ""
    return f"The clock says {now:{_MINUTE_FORMAT}}, and the database's clock {at_database:{_MINUTE_FORMAT}}"


def _newest_row(session: Session) -> datetime | None:
    connection = session.connection()
    newest = (connection.execute(select(func.max(table.created_at))).scalar() for table in (Lead, Meeting, Outbox))
    return max((moment for moment in newest if moment), default=None)
