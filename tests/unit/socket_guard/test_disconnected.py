"""Of those who have left the latest are remembered."""

import random

from site_app.socket_guard.disconnected import DisconnectedSessions, ReflexStates


class Kept(ReflexStates):
    """States as they are made, by whoever comes or by an event that ends late."""

    def __init__(self, *tokens: str) -> None:
        self.tokens = dict.fromkeys(tokens)
        self.used: set[str] = set()
        self.forgotten: list[str] = []

    def idle(self) -> list[str]:
        return [token for token in self.tokens if token not in self.used]

    def forget(self, token: str) -> None:
        self.tokens.pop(token, None)
        self.forgotten.append(token)


def test_the_first_who_left_is_forgotten_when_there_are_too_many() -> None:
    kept = Kept()
    sessions = DisconnectedSessions(kept, most=2)

    for token in "abc":
        sessions.opened(token)
    for token in "bca":
        sessions.closed(token)

    assert kept.forgotten == ["b"]


def test_who_is_here_or_came_back_is_not_forgotten() -> None:
    kept = Kept()
    sessions = DisconnectedSessions(kept, most=1)

    for token in ("first", "second", "second"):
        sessions.opened(token)
    sessions.closed("first")
    sessions.opened("first")  # back again
    sessions.closed("second")  # one of two sockets
    sessions.opened("third")
    sessions.closed("third")

    assert kept.forgotten == []


def test_a_state_that_no_departure_tells_of_is_found_and_forgotten_too() -> None:
    kept = Kept("made late", "of another tab", "used")
    kept.used = {"used"}
    sessions = DisconnectedSessions(kept, most=0, look_every=2)

    for token in ("here", "x", "y"):
        sessions.opened(token)
    kept.tokens["here"] = None
    for token in "xy":
        sessions.closed(token)

    assert sorted(kept.tokens) == ["here", "used"]


def test_ten_thousand_visitors_leave_no_more_than_is_allowed_whatever_they_do() -> None:
    dice, kept = random.Random(1), Kept()
    sessions = DisconnectedSessions(kept)

    most = 0
    for number in range(10_000):
        token = f"{number}"
        sessions.opened(token)
        kept.tokens[token] = None
        if dice.random() < 0.3:
            kept.tokens[f"{token} under another token"] = None
        sessions.closed(token)
        if dice.random() < 0.3:
            kept.tokens[token] = None  # an event ended late
        most = max(most, len(kept.tokens))

    assert 1000 <= most <= 1000 + 256
