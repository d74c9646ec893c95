"""The events of compiled pages are read from the compiler's output, and again after a change."""

import os
from pathlib import Path

import pytest
import reflex as rx
from reflex_base.registry import RegistrationContext

from site_app.plugins.static_first import bound_events
from site_app.plugins.static_first.bound_events import BoundEvents, callbacks, write_bound_events


class ResultState(rx.State):
    @rx.event
    def take_title(self, title: str) -> None: ...

    @rx.event
    def take_size(self, size: int) -> None: ...

    @rx.event
    def take_nothing(self) -> None: ...


class CallingState(rx.State):
    @rx.event
    def ask(self):
        yield ResultState.take_nothing()
        yield rx.call_script("document.title", callback=ResultState.take_title)
        return rx.call_function("size", lambda size: ResultState.take_size(size))

    @rx.event
    def ask_for_itself(self):
        return rx.call_script("document.title", callback=type(self).take_own)

    @rx.event
    def take_own(self, title: str) -> None: ...


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for folder in ("app/routes", "app_components/shop", "utils/components", "backend"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setattr(bound_events, "get_web_dir", lambda: tmp_path)
    monkeypatch.setattr(bound_events, "get_backend_dir", lambda: tmp_path / "backend")
    return tmp_path


def test_events_are_listed_wherever_a_page_binds_them(web: Path) -> None:
    (web / "app/routes/x.jsx").write_text('addEvents([(ReflexEvent("state.shop.add", ({["by"]: 1}), ({})))])')
    (web / "app_components/shop/row.jsx").write_text("ReflexEvent( 'state.shop.drop', {}); ReflexEvent(\"_redirect\", {})")
    (web / "utils/components/memo.js").write_text('ReflexEvent("state.shop.add");ReflexEvent(name);const x = "state.shop.gone"')

    events = write_bound_events()

    assert [name for name in events if name.startswith("state.")] == ["state.shop.add", "state.shop.drop"]
    assert BoundEvents()() == set(events)


def test_the_event_of_a_call_that_a_page_binds_is_listed(web: Path) -> None:
    (web / "app/routes/x.jsx").write_text(
        r'ReflexEvent("_call_script", ({ ["callback"]: "(_result) => {addEvents([ReflexEvent(\"state.shop.take\", {})])}" }))'
    )

    assert "state.shop.take" in write_bound_events()


def test_only_callbacks_of_a_handlers_calls_are_listed() -> None:
    handlers = RegistrationContext.ensure_context().event_handlers
    states = ("result_state", "calling_state")
    own_handlers = [registered for name, registered in handlers.items() if name.split(".")[-2].endswith(states)]

    assert {name.rpartition(".")[2] for name in callbacks(own_handlers)} == {"take_title", "take_size", "take_own"}


def test_reflex_itself_sends_four_events_of_every_app(web: Path) -> None:
    assert [name.rpartition(".")[2] for name in write_bound_events() if "test_bound_events" not in name] == [
        "hydrate_and_load",
        "handle_frontend_exception",
        "on_load_internal",
        "update_vars_internal",
    ]


def test_the_list_is_read_again_once_it_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "bound.json"
    bound = BoundEvents(file)
    assert bound() == frozenset()

    file.write_text('["a"]')
    assert bound() == {"a"}
    file.write_text('["a", "b"]')
    os.utime(file, ns=(1, 1))

    assert bound() == {"a", "b"}
