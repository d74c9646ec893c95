"""Sessions without a socket: keeps the states of the visitors who left last, so that they can return, and drops older ones."""

from collections import Counter

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import BaseStateToken

MOST = 1000  # states of 20 kB each
_LOOK_EVERY = 256  # departures


class DisconnectedSessions:
    """The tokens of visitors who have left, oldest first. When there are too many, forgets the states of the oldest.

    Only works for an app that keeps states in this process's memory: in Redis they expire by themselves.
    """

    def __init__(self, app: rx.App, *, most: int = MOST, look_every: int = _LOOK_EVERY) -> None:
        self._app, self._most, self._look_every = app, most, look_every
        self._open: Counter[str] = Counter()
        self._gone: dict[str, None] = {}
        self._closings = 0

    def opened(self, token: str) -> None:
        self._open[token] += 1
        self._gone.pop(token, None)

    def closed(self, token: str) -> None:
        """Called when a socket of the token closes; the visitor has left if it was the last one."""
        self._open[token] -= 1
        if self._open[token]:
            return
        del self._open[token]
        self._gone[token] = None
        self._closings += 1
        if self._closings % self._look_every == 0:
            # Also count states whose token never closed a socket: recreated by an event that ended late, or under a token that Reflex assigned.
            self._gone |= dict.fromkeys(
                idle_token for idle_token in self.idle() if idle_token not in self._open and idle_token not in self._gone
            )
        while len(self._gone) > self._most:
            first = next(iter(self._gone))
            del self._gone[first]
            self.forget(first)

    def idle(self) -> list[str]:
        """Returns the tokens that have a state and no socket."""
        manager, sockets = self._app.state_manager, self._app.event_namespace
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
