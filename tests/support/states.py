"""The states of a visitor, without a browser."""

import asyncio
import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Generic, TypeVar

import reflex as rx
from reflex.istate.proxy import StateProxy
from reflex_base.constants import RouteVar
from reflex_base.event.context import EventContext

S = TypeVar("S", bound=rx.State)
AnyState = TypeVar("AnyState", bound=rx.State)


class Visitor(Generic[S]):
    """A visitor on a page, and the state that a test is about, in a tree with all other states."""

    def __init__(self, kind: type[S], path: str = "/") -> None:
        base: Any = rx.State
        self._root = base(_reflex_internal_init=True)
        place = {RouteVar.PATH: path, RouteVar.ORIGIN: path, RouteVar.CLIENT_IP: "203.0.113.9"}
        self._root.router_data = self._root._update_router_vars(place, {})
        self._lock = asyncio.Lock()
        self.state = self.state_of(kind)

    def state_of(self, kind: type[AnyState]) -> AnyState:
        """Returns a state of this visitor."""
        return self._root.get_substate(kind.get_full_name().split("."))

    async def run(self, event: Any, *payload: Any) -> None:
        """Runs an event of the state to its end; a background event on Reflex's proxy, which refuses changes outside of `async with self`."""
        manager: Any = self
        with EventContext(token="visitor", state_manager=manager, enqueue_impl=manager):
            result = event.fn(StateProxy(self.state) if event.is_background else self.state, *payload)
            if inspect.isawaitable(result):
                await result

    @asynccontextmanager
    async def modify_state_with_links(self, token: object, event: object) -> AsyncIterator[Any]:
        """Locks the states for a proxy, as a state manager of Reflex does."""
        async with self._lock:
            yield self._root
