"""Limits: frames of one socket, and sockets of one network."""

from dataclasses import dataclass

import pytest

from site_app.plugins.socket_guard import OpenSockets, Rate


@dataclass
class Seconds:
    """A clock that stands still until it is set."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Seconds:
    return Seconds()


def allowed_count(rate: Rate, tries: int) -> int:
    return sum(rate.take() for _ in range(tries))


def test_after_the_burst_the_rate_applies_and_waiting_restores_the_burst(clock: Seconds) -> None:
    rate = Rate(20, 60, clock)
    assert allowed_count(rate, 1000) == 60

    passed = 0
    for _ in range(100):
        clock.now += 0.1
        passed += allowed_count(rate, 50)
    assert passed == pytest.approx(200, abs=1)

    clock.now += 3
    assert rate.is_idle
    assert allowed_count(rate, 1000) == 60


def visitors(clock: Seconds, **limits: int) -> OpenSockets:
    return OpenSockets(**{"each": 3, "total": 5, "arrivals": 2, "burst": 100} | limits, clock=clock)


def test_sockets_are_limited_per_network_and_in_total_until_some_close(clock: Seconds) -> None:
    sockets = visitors(clock)

    assert [sockets.enter("a") for _ in range(4)] == ["", "", "", "too many sockets of one network"]
    assert [sockets.enter(address) for address in "bcd"] == ["", "", "too many sockets"]
    sockets.leave("a")
    assert (sockets.enter("a"), sockets.count) == ("", 5)


def test_reconnections_are_limited_too(clock: Seconds) -> None:
    sockets = visitors(clock, burst=10)

    entered = 0
    for _ in range(50):
        if not sockets.enter("a"):
            entered += 1
            sockets.leave("a")

    assert entered == 10


def test_addresses_that_came_once_are_forgotten(clock: Seconds) -> None:
    sockets = visitors(clock, total=10**9)

    for number in range(3 * OpenSockets.SWEEP_AT):
        assert sockets.enter(f"address {number}") == ""
        sockets.leave(f"address {number}")
        clock.now += 1

    assert len(sockets._rates) <= OpenSockets.SWEEP_AT
