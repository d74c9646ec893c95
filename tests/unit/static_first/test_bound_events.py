"""The events of compiled pages are read from the compiler's output, and again after a change."""

import os
from pathlib import Path

import pytest
import reflex as rx

from site_app.plugins.static_first import bound_events
from site_app.plugins.static_first.bound_events import BoundEvents, write_bound_events


class TitleState(rx.State):
    @rx.event
    def load(self, title: str = "") -> None: ...

    @rx.event
    def take(self, title: str) -> None: ...

    @rx.event
    def undo(self) -> None: ...


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


def test_the_replies_to_what_an_on_load_sends_are_listed_and_what_runs_on_the_server_is_not(web: Path) -> None:
    on_load = [
        TitleState.load,
        TitleState.load("x"),
        rx.call_script("document.title", callback=TitleState.take),
        rx.toast.info("Removed", action={"label": "Undo", "on_click": TitleState.undo}),
    ]

    events = write_bound_events(on_load)

    assert {name.rpartition(".")[2] for name in events if TitleState.get_full_name() in name} == {"take", "undo"}


def test_reflex_itself_sends_four_events_of_every_app(web: Path) -> None:
    assert [
        name.rpartition(".")[2] for name in write_bound_events() if "tests___" not in name and "site_app___" not in name
    ] == [
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
