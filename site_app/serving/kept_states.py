"""What visitors have open, as Reflex keeps it in this process's memory."""

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import BaseStateToken


class KeptStates:
    """The states of the app; in Redis they end by themselves, so there are none to let go of here."""

    def __init__(self, app: rx.App) -> None:
        self._app = app

    def idle(self) -> list[str]:
        """The tokens that no socket uses now."""
        manager, sockets = self._app.state_manager, self._app.event_namespace
        used = sockets.token_to_sid if sockets else {}
        return [token for token in manager.states if token not in used] if isinstance(manager, StateManagerMemory) else []

    def forget(self, token: str) -> None:
        """Let go of a token's state, its lock and its time of expiry, unless one of its events is being handled."""
        manager = self._app.state_manager
        if not isinstance(manager, StateManagerMemory):
            return
        lock = manager._states_locks.get(token)
        if lock is None or not lock.locked():
            # As it does itself when the time is over: the state alone would leave the rest behind, and a tree that only
            # the collector can take apart.
            manager._purge_token(BaseStateToken(ident=token, cls=rx.State))
