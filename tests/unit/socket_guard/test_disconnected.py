"""Of those who have left the latest are remembered; who only read hardly at all."""

import random
from collections.abc import Iterable

import pytest

from site_app.socket_guard.disconnected import DisconnectedSessions


class Kept:
    """States as they are made, by whoever comes or by an event that ends late."""

    def __init__(self, *tokens: str) -> None:
        self.tokens = dict.fromkeys(tokens)
        self.used: set[str] = set()
        self.forgotten: list[str] = []

    def idle(self) -> Iterable[str]:
        return [token for token in self.tokens if token not in self.used]

    def forget(self, token: str) -> None:
        self.tokens.pop(token, None)
        self.forgotten.append(token)


def test_the_first_who_left_is_forgotten_when_there_are_too_many() -> None:
    kept = Kept()
    departed = DisconnectedSessions(kept, most=2)

    for token in "abc":
        departed.comes(token)
    for token in "bca":
        departed.leaves(token, acted=True)

    assert kept.forgotten == ["b"]


def test_who_is_here_or_came_back_is_not_forgotten() -> None:
    kept = Kept()
    departed = DisconnectedSessions(kept, most=1)

    for token in ("first", "second", "second"):
        departed.comes(token)
    departed.leaves("first", acted=True)
    departed.comes("first")  # back again
    departed.leaves("second", acted=True)  # one of two sockets
    departed.comes("third")
    departed.leaves("third", acted=True)

    assert kept.forgotten == []


def test_readers_push_nobody_out_who_did_something() -> None:
    kept = Kept()
    departed = DisconnectedSessions(kept, most=2, readers=1)

    departed.comes("actor")
    departed.leaves("actor", acted=True)
    for number in range(100):
        departed.comes(f"reader {number}")
        departed.leaves(f"reader {number}", acted=False)

    assert kept.forgotten == [f"reader {number}" for number in range(99)]


@pytest.mark.parametrize("acted_when", ["first", "second"])
def test_what_somebody_did_is_remembered_of_him_when_he_came_back_only_to_read(acted_when: str) -> None:
    kept = Kept()
    departed = DisconnectedSessions(kept, most=1, readers=0)

    for visit in ("first", "second"):
        departed.comes("a")
        departed.leaves("a", acted=visit == acted_when)

    assert kept.forgotten == ([] if acted_when == "first" else ["a"])
    departed.comes("b")
    departed.leaves("b", acted=True)
    assert kept.forgotten[-1] == "a"


def test_a_state_that_no_departure_tells_of_is_found_and_forgotten_too() -> None:
    kept = Kept("made late", "of another tab", "used")
    kept.used = {"used"}
    departed = DisconnectedSessions(kept, readers=0, look_every=2)

    for token in ("here", "x", "y"):
        departed.comes(token)
    kept.tokens["here"] = None
    for token in "xy":
        departed.leaves(token, acted=False)

    assert sorted(kept.tokens) == ["here", "used"]


def test_ten_thousand_visitors_leave_no_more_than_is_allowed_whatever_they_do() -> None:
    dice, kept = random.Random(1), Kept()
    departed = DisconnectedSessions(kept)

    most = 0
    for number in range(10_000):
        token = f"{number}"
        departed.comes(token)
        kept.tokens[token] = None
        if dice.random() < 0.3:
            kept.tokens[f"{token} under another token"] = None
        departed.leaves(token, acted=dice.random() < 0.5)
        if dice.random() < 0.3:
            kept.tokens[token] = None  # an event ended late
        most = max(most, len(kept.tokens))

    assert 1000 <= most <= 1000 + 200 + 256
