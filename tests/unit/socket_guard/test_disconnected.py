"""Only the most recently disconnected sessions are kept."""

import random
from typing import cast

import reflex as rx

from site_app.plugins.socket_guard import DisconnectedSessions


class RecordedSessions(DisconnectedSessions):
    """Records states as they are created, by a visitor or by an event that ends late."""

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


def test_the_earliest_disconnected_session_is_removed_first() -> None:
    sessions = RecordedSessions(max_states=2)

    for token in "abc":
        sessions.socket_opened(token)
    for token in "bca":
        sessions.socket_closed(token)

    assert sessions.forgotten == ["b"]


def test_connected_and_reconnected_sessions_are_kept() -> None:
    sessions = RecordedSessions(max_states=1)

    for token in ("first", "second", "second"):
        sessions.socket_opened(token)
    sessions.socket_closed("first")
    sessions.socket_opened("first")  # reconnected
    sessions.socket_closed("second")  # one of two sockets
    sessions.socket_opened("third")
    sessions.socket_closed("third")

    assert sessions.forgotten == []


def test_states_without_a_socket_are_found_and_removed() -> None:
    sessions = RecordedSessions("made late", "of another tab", "used", max_states=0, check_every=2)
    sessions.used = {"used"}

    for token in ("here", "x", "y"):
        sessions.socket_opened(token)
    sessions.tokens["here"] = None
    for token in "xy":
        sessions.socket_closed(token)

    assert sorted(sessions.tokens) == ["here", "used"]


def test_ten_thousand_visitors_leave_a_bounded_number_of_states() -> None:
    dice, sessions = random.Random(1), RecordedSessions()
    peak = 0
    for number in range(10_000):
        token = f"{number}"
        sessions.socket_opened(token)
        sessions.tokens[token] = None
        if dice.random() < 0.3:
            sessions.tokens[f"{token} under another token"] = None
        sessions.socket_closed(token)
        if dice.random() < 0.3:
            sessions.tokens[token] = None  # an event ended late
        peak = max(peak, len(sessions.tokens))

    assert 1000 <= peak <= 1000 + 256
