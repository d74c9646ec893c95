"""Rate limits: of the events of one socket, and of the sockets of one network."""

from collections.abc import Callable
from time import monotonic

MonotonicClock = Callable[[], float]


class Rate:
    """A rate limit with a burst, by the generic cell rate algorithm, which stores a single number."""

    __slots__ = ("_clock", "_free_at", "_span", "_step")

    def __init__(self, per_second: float, burst: int, clock: MonotonicClock = monotonic) -> None:
        self._clock = clock
        self._step = 1 / per_second
        self._span = (burst - 1) * self._step
        self._free_at = clock()

    def take(self) -> bool:
        """Counts one event and returns True, or returns False without counting if the limit is reached."""
        now = self._clock()
        free_at = max(self._free_at, now)
        if free_at - now > self._span:
            return False
        self._free_at = free_at + self._step
        return True

    @property
    def is_idle(self) -> bool:
        """True if the whole burst is available again, so that the rate can be dropped."""
        return self._free_at <= self._clock()


class OpenSockets:
    """Counts the open sockets by network."""

    SWEEP_AT = 4096  # networks remembered before the idle ones are dropped

    def __init__(self, *, each: int, total: int, arrivals: int, burst: int, clock: MonotonicClock = monotonic) -> None:
        self._each = each
        self._total = total
        self._arrivals = arrivals
        self._burst = burst
        self._clock = clock
        self._open: dict[str, int] = {}
        self._rates: dict[str, Rate] = {}
        self._sweep_at = self.SWEEP_AT
        self.count = 0

    def enter(self, network: str) -> str:
        """Counts a new socket and returns "", or returns the limit that it exceeds."""
        if self.count >= self._total:
            return "too many sockets"
        if self._open.get(network, 0) >= self._each:
            return "too many sockets of one network"
        if not self._rate(network).take():
            return "too many new sockets of one network"
        self._open[network] = self._open.get(network, 0) + 1
        self.count += 1
        return ""

    def leave(self, network: str) -> None:
        self.count -= 1
        self._open[network] -= 1
        if not self._open[network]:
            del self._open[network]

    def _rate(self, network: str) -> Rate:
        if network not in self._rates:
            if len(self._rates) >= self._sweep_at:
                self._rates = {name: rate for name, rate in self._rates.items() if not rate.is_idle}
                self._sweep_at = max(self.SWEEP_AT, 2 * len(self._rates))  # do not sweep again at once after dropping little
            self._rates[network] = Rate(self._arrivals, self._burst, self._clock)
        return self._rates[network]
