"""A small table of events, as the guard builds it from an app."""

from collections.abc import Callable
from typing import Any

from reflex_base.event import EventHandler
from reflex_base.registry import RegisteredEventHandler

from site_app.plugins.socket_guard import EventTable


class FakeState:
    """Stands for the state with the handlers; the guard only uses its name."""


def registered(function: Callable[..., Any]) -> RegisteredEventHandler:
    return RegisteredEventHandler(handler=EventHandler(fn=function), states=(FakeState,))  # pyright: ignore[reportArgumentType]


def table(**functions: Callable[..., Any]) -> EventTable:
    """Returns a table in which a page binds each of these handlers, as `state.<name>`."""
    handlers = {f"state.{name}": registered(function) for name, function in functions.items()}
    return EventTable(lambda: frozenset(handlers), handlers)
