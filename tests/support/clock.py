"""A clock for tests."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta


@dataclass
class Clock:
    """Stands still until the test advances it."""

    now: datetime = field(default=datetime(2030, 1, 2, 12, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.now

    def advance(self, by: timedelta) -> None:
        self.now += by
