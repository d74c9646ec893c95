"""Exactly the events that the built pages bind are allowed, each with the types of its handler."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reflex_base.event import EventHandler
from reflex_base.registry import RegistrationContext

from site_app.plugins.socket_guard import EventTable, check_handlers
from site_app.plugins.socket_guard.events import EventRefused, PayloadRefused
from site_app.plugins.static_first.bound_events import BoundEvents
from site_app.site_app import app
from tests.support.site_server import build

LIST = Path(__file__).parents[3] / ".web/backend/bound_events.json"
assert app  # importing it registers every state
HANDLERS: Mapping[str, Any] = RegistrationContext.get().event_handlers


@pytest.fixture(scope="module")
def bound() -> BoundEvents:
    build("http://localhost:3000")
    return BoundEvents(LIST)


def test_the_built_pages_bind_handlers_that_are_there_and_can_be_checked(bound: BoundEvents) -> None:
    assert bound() <= HANDLERS.keys()
    assert check_handlers(bound(), HANDLERS) == []
    assert [name for name in bound() if ".site_app___" in name]


def test_the_events_of_the_pages_are_allowed_and_no_others(bound: BoundEvents) -> None:
    events = EventTable(bound, HANDLERS)

    for name in HANDLERS:
        # No handler has this parameter, so an allowed event is refused only for its payload.
        with pytest.raises(EventRefused) as refused:
            events.check(name, {"no parameter": 1})
        assert isinstance(refused.value, PayloadRefused) == (name in bound())


def test_a_handler_of_a_page_that_loses_an_annotation_is_reported(bound: BoundEvents) -> None:
    def report(self: Any, name) -> None: ...

    name = next(name for name in sorted(bound()) if name.endswith(".report"))
    changed = {**HANDLERS, name: replace(HANDLERS[name], handler=EventHandler(fn=report))}

    (problem,) = check_handlers(bound(), changed)

    assert "name: str" in problem
