"""The events that the compiled pages bind, by their wire names.

Reads them from the compiler's output, where each event is a literal, however a page bound it: on an element, in a memo, in a branch of
rx.cond or in a handler of a wrapped component.
"""

import json
import re
from collections.abc import Collection
from pathlib import Path

from reflex.state import FrontendEventExceptionState, OnLoadInternalState, State, UpdateVarsInternalState
from reflex.utils.prerequisites import get_backend_dir, get_web_dir
from reflex_base.utils.format import format_event_handler

_FOLDERS = ("app", "app_components", "utils/components")
_EVENT = re.compile(r"""ReflexEvent\(\s*["']([\w.]+)["']""")
_FILE = "bound_events.json"


def write_bound_events() -> Collection[str]:
    """Writes the list to the folder that the backend reads at its start, and returns it."""
    web, names = get_web_dir(), set(of_reflex_itself())
    for folder in _FOLDERS:
        for file in (web / folder).rglob("*.js*"):
            names.update(_EVENT.findall(file.read_text()))
    events = sorted(name for name in names if not name.startswith("_"))  # events with an underscore stay in the browser
    target = get_backend_dir() / _FILE
    unfinished = target.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(events, indent=1))
    unfinished.replace(target)
    return events


def of_reflex_itself() -> tuple[str, ...]:
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
            changed = self._file.stat().st_mtime_ns
        except FileNotFoundError:
            return frozenset()
        if changed != self._read_at:
            self._names, self._read_at = frozenset(json.loads(self._file.read_text())), changed
        return self._names
