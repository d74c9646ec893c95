"""No event handler reaches a browser unreviewed."""

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from reflex_base.registry import RegistrationContext

from site_app.site_app import app
from site_app.socket_guard.events import Handler, registered, review
from site_app.stack import EVENTS

BUILT = Path(__file__).parents[2] / ".web/build/client/assets"
assert app  # importing it has registered every state
HANDLERS = list(registered(RegistrationContext.get().event_handlers))
TABLE = review(EVENTS)
NAMES = {handler.name for handler in HANDLERS}


def test_every_event_of_every_state_is_reviewed() -> None:
    unknown = [handler for handler in HANDLERS if not TABLE.knows(handler.name)]

    assert not unknown, "put into site_app/events.toml, as allowed or refused: " + _written(unknown)


def _written(handlers: list[Handler]) -> str:
    """Their lines, with what each key holds left open."""
    return "".join(f'\n"{one.name}" = {{ {", ".join(f"{key} = ?" for key in one.parameters)} }}' for one in handlers)


def test_the_table_names_nothing_that_is_gone() -> None:
    gone = [name for name in (*TABLE.allowed, *TABLE.refused) if not any(fnmatchcase(one, name) for one in NAMES)]

    assert not gone


def test_no_event_is_both_allowed_and_refused() -> None:
    assert not TABLE.allowed.keys() & TABLE.refused.keys()
    assert not [name for name in TABLE.allowed if name.endswith(".setvar")]


@pytest.mark.parametrize("name", sorted(TABLE.allowed))
def test_the_payload_keys_allowed_are_parameters(name: str) -> None:
    for handler in (one for one in HANDLERS if fnmatchcase(one.name, name)):
        assert set(TABLE.allowed[name]) <= set(handler.parameters)


def test_every_event_the_built_pages_send_is_allowed() -> None:
    """A string of the bundle that is a handler's whole name is sent by a page."""
    if not BUILT.is_dir():
        pytest.skip("the pages are not built")
    scripts = "".join(file.read_text() for file in BUILT.glob("*.js"))
    wires = {handler.wire: handler.name for handler in HANDLERS if handler.name.startswith("site_app.")}

    sent = {wires[text] for text in re.findall(r"""["'`](reflex___state____state\.[\w.]+)["'`]""", scripts) if text in wires}

    assert not [name for name in sent if TABLE.payload(name) is None]
    assert len(sent) >= 4
