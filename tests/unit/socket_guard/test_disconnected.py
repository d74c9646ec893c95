"""Of those who have left the latest are remembered."""

import random
from typing import cast

import reflex as rx

from site_app.plugins.socket_guard.disconnected import DisconnectedSessions


class Kept(DisconnectedSessions):
    """With states as they are made, by whoever comes or by an event that ends late."""

    def __init__(self, *tokens: str, **bounds: int) -> None:
        super().__init__(cast(rx.App, None), **bounds)
        self.tokens = dict.fromkeys(tokens)
        self.used: set[str] = set()
        self.forgotten: list[str] = []

    def idle(self) -> list[str]:
        return [token for token in self.tokens if token not in self.used]

    def forget(self, token: str) -> None:
        self.tokens.pop(token, None)
        self.forgotten.append(token)


def test_the_first_who_left_is_forgotten_when_there_are_too_many() -> None:
    kept = Kept(most=2)

    for token in "abc":
        kept.opened(token)
    for token in "bca":
        kept.closed(token)

    assert kept.forgotten == ["b"]


def test_who_is_here_or_came_back_is_not_forgotten() -> None:
    kept = Kept(most=1)

    for token in ("first", "second", "second"):
        kept.opened(token)
    kept.closed("first")
    kept.opened("first")  # back again
    kept.closed("second")  # one of two sockets
    kept.opened("third")
    kept.closed("third")

    assert kept.forgotten == []


def test_a_state_that_no_departure_tells_of_is_found_and_forgotten_too() -> None:
    kept = Kept("made late", "of another tab", "used", most=0, look_every=2)
    kept.used = {"used"}

    for token in ("here", "x", "y"):
        kept.opened(token)
    kept.tokens["here"] = None
    for token in "xy":
        kept.closed(token)

    assert sorted(kept.tokens) == ["here", "used"]


def test_ten_thousand_visitors_leave_no_more_than_is_allowed_whatever_they_do() -> None:
    dice, kept = random.Random(1), Kept()
    most = 0
    for number in range(10_000):
        token = f"{number}"
        kept.opened(token)
        kept.tokens[token] = None
        if dice.random() < 0.3:
            kept.tokens[f"{token} under another token"] = None
        kept.closed(token)
        if dice.random() < 0.3:
            kept.tokens[token] = None  # an event ended late
        most = max(most, len(kept.tokens))

    assert 1000 <= most <= 1000 + 256
