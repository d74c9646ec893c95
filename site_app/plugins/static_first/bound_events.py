"""The events that the compiled pages bind, by their wire names.

Reads them from the compiler's output, where each event is a literal, however a page bound it: on an element, in a memo, in a branch of
rx.cond or in a handler of a wrapped component. Adds the events that handlers name in their code, see named_events.py, and those that an
on_load names, such as the callback of a script: the server sends it, so it is in no compiled page.
"""

import json
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from reflex.state import FrontendEventExceptionState, OnLoadInternalState, State, UpdateVarsInternalState
from reflex.utils.prerequisites import get_backend_dir, get_web_dir
from reflex_base.event import EventSpec
from reflex_base.registry import RegistrationContext
from reflex_base.utils.format import format_event_handler

from site_app.plugins.static_first.build_cache import replace_file
from site_app.plugins.static_first.named_events import named_events, names_in_arguments, names_in_script

_FOLDERS = ("app", "app_components", "utils/components")
_FILE = "bound_events.json"


def write_bound_events(load_events: Iterable[Any] = ()) -> Collection[str]:
    """Writes the list to the folder that the backend reads at its start, and returns it. `load_events` are those of every on_load."""
    web = get_web_dir()
    names = set(reflex_events())
    for folder in _FOLDERS:
        for file in (web / folder).rglob("*.js*"):
            names.update(names_in_script(file.read_text()))
    for event in load_events:
        if isinstance(event, EventSpec):  # only its arguments: the event itself runs on the server
            names.update(names_in_arguments(event))
    names.update(named_events(RegistrationContext.ensure_context().event_handlers.values()))
    events = sorted(name for name in names if not name.startswith("_"))  # events with an underscore stay in the browser
    replace_file(get_backend_dir() / _FILE, json.dumps(events, indent=1).encode())
    return events


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
