"""Keeps the states of the visitors who left last, so that they can return, and forgets older ones."""

from collections import Counter

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import BaseStateToken

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
        """Returns the tokens that have a state and no socket."""
        manager = self._app.state_manager
        sockets = self._app.event_namespace
        used = sockets.token_to_sid if sockets else {}
        return [token for token in manager.states if token not in used] if isinstance(manager, StateManagerMemory) else []

    def forget(self, token: str) -> None:
        """Removes a token's state, lock and expiry time, unless one of its events is being handled."""
        manager = self._app.state_manager
        if not isinstance(manager, StateManagerMemory):
            return
        lock = manager._states_locks.get(token)
        if lock is None or not lock.locked():
            # The manager calls this for expired states: it also removes the lock and the expiry time, and unlinks the tree of substates.
            manager._purge_token(BaseStateToken(ident=token, cls=rx.State))
