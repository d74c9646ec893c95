"""Keeps the states of the visitors who left last, so that they can return, and forgets older ones."""

from collections import Counter
from collections.abc import Iterator

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import BaseStateToken
from reflex.state import BaseState

MAX_STATES = 1000  # states of 20 kB each
_CHECK_EVERY_DEPARTURES = 256


class DisconnectedSessions:
    """The tokens of visitors who have left, oldest first. When there are too many, forgets the states of the oldest.

    Only works for an app that keeps states in this process's memory: in Redis they expire by themselves.
    """

    def __init__(self, app: rx.App, *, max_states: int = MAX_STATES, check_every: int = _CHECK_EVERY_DEPARTURES) -> None:
        self._app = app
        self._max_states = max_states
        self._check_every = check_every
        self._open: Counter[str] = Counter()
        self._departed: dict[str, None] = {}
        self._closings = 0

    def socket_opened(self, token: str) -> None:
        self._open[token] += 1
        self._departed.pop(token, None)

    def socket_closed(self, token: str) -> None:
        """Called when a socket of the token closes; the visitor has left if it was the last one."""
        self._open[token] -= 1
        if self._open[token]:
            return
        del self._open[token]
        self._departed[token] = None
        self._closings += 1
        if self._closings % self._check_every == 0:
            # Also count states whose token never closed a socket: recreated by an event that ended late, or under a token that Reflex assigned.
            self._departed |= dict.fromkeys(
                idle_token for idle_token in self.idle() if idle_token not in self._open and idle_token not in self._departed
            )
        while len(self._departed) > self._max_states:
            oldest = next(iter(self._departed))
            del self._departed[oldest]
            self.forget(oldest)

    def idle(self) -> list[str]:
        """Returns the tokens that have a state which no connected visitor uses."""
        manager = self._app.state_manager
        if not isinstance(manager, StateManagerMemory):
            return []
        return [token for token, state in manager.states.items() if not self._is_used(token, state)]

    def forget(self, token: str) -> None:
        """Removes a token's state, lock and expiry time, unless a visitor uses it again or one of its events is being handled."""
        manager = self._app.state_manager
        if not isinstance(manager, StateManagerMemory) or self._is_used(token, manager.states.get(token)):
            return
        lock = manager._states_locks.get(token)
        if lock is None or not lock.locked():
            # The manager calls this for expired states: it also removes the lock and the expiry time, and unlinks the tree of substates.
            manager._purge_token(BaseStateToken(ident=token, cls=rx.State))

    def _is_used(self, token: str, state: BaseState | None) -> bool:
        """Returns True for the token of a socket, and for one to which rx.SharedState has linked a visitor who has a socket.

        A visitor is linked to one token per state at most, so the states in use are as limited as the sockets.
        """
        sockets = self._app.event_namespace.token_to_sid if self._app.event_namespace else {}
        return token in sockets or not sockets.keys().isdisjoint(_linked_visitors(state))


def _linked_visitors(root: BaseState | None) -> Iterator[str]:
    """Yields the tokens of the visitors who share a state of this tree."""
    states = [root] if root else []
    while states:
        state = states.pop()
        if isinstance(state, rx.SharedState):
            yield from state._linked_from
        states += state.substates.values()
