"""The events that the compiled pages bind, by their wire names.

Reads them from the compiler's output, where each event is a literal, however a page bound it: on an element, in a memo, in a branch of
rx.cond or in a handler of a wrapped component. A handler may send the browser a call whose result comes back by another event; these
events are read from the handlers' source.
"""

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from reflex.state import BaseState, FrontendEventExceptionState, OnLoadInternalState, State, UpdateVarsInternalState
from reflex.utils.prerequisites import get_backend_dir, get_web_dir
from reflex_base.registry import RegistrationContext
from reflex_base.utils.format import format_event_handler

from site_app.plugins.static_first.build_cache import replace_file

_FOLDERS = ("app", "app_components", "utils/components")
# Inside the text of a call's callback, its quotes are escaped.
_EVENT = re.compile(r"""ReflexEvent\(\s*\\?["']([\w.]+)\\?["']""")
_CALLS_WITH_RESULTS = frozenset({"call_script", "call_function", "run_script"})
_FILE = "bound_events.json"


def write_bound_events() -> Collection[str]:
    """Writes the list to the folder that the backend reads at its start, and returns it."""
    web = get_web_dir()
    names = set(reflex_events())
    for folder in _FOLDERS:
        for file in (web / folder).rglob("*.js*"):
            names.update(_EVENT.findall(file.read_text()))
    names.update(callbacks(RegistrationContext.ensure_context().event_handlers.values()))
    events = sorted(name for name in names if not name.startswith("_"))  # events with an underscore stay in the browser
    replace_file(get_backend_dir() / _FILE, json.dumps(events, indent=1).encode())
    return events


def callbacks(registered: Iterable[Any]) -> Iterator[str]:
    """Yields the events by which results of calls come back: rx.call_script("…", callback=State.received) inside a handler."""
    for event in registered:
        function = event.handler.fn
        if _CALLS_WITH_RESULTS.isdisjoint(inspect.unwrap(function).__code__.co_names):
            continue
        for call in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _CALLS_WITH_RESULTS:
                values = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "callback")]
                for attribute in (part for value in values for part in ast.walk(value) if isinstance(part, ast.Attribute)):
                    state = _named_state(attribute.value, function) or event.states[0]
                    if handler := state.event_handlers.get(attribute.attr):
                        yield format_event_handler(handler)


def _named_state(expression: ast.expr, function: Callable[..., Any]) -> type[BaseState] | None:
    """Returns the state of a name in the handler's module; None for `type(self)` and the like."""
    value = function.__globals__.get(expression.id) if isinstance(expression, ast.Name) else None
    return value if isinstance(value, type) and issubclass(value, BaseState) else None


def reflex_events() -> tuple[str, ...]:
    """Returns the events that Reflex's own browser code sends in every app."""
    handlers = (
        State.event_handlers["hydrate_and_load"],
        OnLoadInternalState.event_handlers["on_load_internal"],
        UpdateVarsInternalState.event_handlers["update_vars_internal"],  # sets vars of browser storage, and refuses others
        FrontendEventExceptionState.event_handlers["handle_frontend_exception"],
    )
    return tuple(map(format_event_handler, handlers))


class BoundEvents:
    """Returns the list when called; reads the file again after it has changed, as happens in development."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or get_backend_dir() / _FILE
        self._read_at = 0
        self._names: frozenset[str] = frozenset()

    def __call__(self) -> frozenset[str]:
        try:
            modified_at = self._file.stat().st_mtime_ns
        except FileNotFoundError:
            return frozenset()
        if modified_at != self._read_at:
            self._names = frozenset(json.loads(self._file.read_text()))
            self._read_at = modified_at
        return self._names
