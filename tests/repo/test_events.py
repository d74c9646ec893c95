"""No event handler reaches a browser unreviewed."""

import inspect
import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from reflex_base.registry import RegistrationContext

from site_app.site_app import app
from site_app.socket_guard.events import registered, review
from site_app.stack import EVENTS

BUILT = Path(__file__).parents[2] / ".web/build/client/assets"
assert app  # importing it has registered every state
HANDLERS = RegistrationContext.get().event_handlers
TABLE = review(EVENTS)
WIRES = {name: wire for wire, name in registered(HANDLERS)}


def test_every_event_of_every_state_is_reviewed() -> None:
    unknown = [
        f'"{name}" = {{ {", ".join(f"{key} = ?" for key in _parameters(name))} }}' for name in WIRES if not TABLE.knows(name)
    ]

    assert not unknown, "put into site_app/events.toml, as allowed or refused:\n" + "\n".join(unknown)


def _parameters(name: str) -> list[str]:
    return [*inspect.signature(HANDLERS[WIRES[name]].handler.fn).parameters][1:]  # without self


def test_the_table_names_nothing_that_is_gone() -> None:
    gone = [name for name in (*TABLE.allowed, *TABLE.refused) if not any(fnmatchcase(one, name) for one in WIRES)]

    assert not gone


def test_no_event_is_both_allowed_and_refused() -> None:
    assert not TABLE.allowed.keys() & TABLE.refused.keys()
    assert not [name for name in TABLE.allowed if name.endswith(".setvar")]


@pytest.mark.parametrize("name", sorted(TABLE.allowed))
def test_the_payload_keys_allowed_are_parameters(name: str) -> None:
    for one in WIRES:
        assert not fnmatchcase(one, name) or {*TABLE.allowed[name]} <= {*_parameters(one)}


def test_every_event_the_built_pages_send_is_allowed() -> None:
    """A string of the bundle that is a handler's whole name is sent by a page."""
    if not BUILT.is_dir():
        pytest.skip("the pages are not built")
    scripts = "".join(file.read_text() for file in BUILT.glob("*.js"))
    wires = {wire: name for name, wire in WIRES.items() if name.startswith("site_app.")}

    sent = {wires[text] for text in re.findall(r"""["'`](reflex___state____state\.[\w.]+)["'`]""", scripts) if text in wires}

    assert not [name for name in sent if TABLE.payload(name) is None]
    assert len(sent) >= 4
