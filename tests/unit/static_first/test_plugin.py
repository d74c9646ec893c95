"""The plugin's hooks, called as Reflex calls them."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import reflex as rx

from site_app.plugins.static_first import bound_events, themed_pages
from site_app.plugins.static_first.bound_events import BoundEvents
from site_app.plugins.static_first.plugin import StaticFirstPlugin


class LabState(rx.State):
    name: str = "x"

    @rx.event
    def take(self, title: str) -> None: ...


def enter(plugin: StaticFirstPlugin, route: str, page: rx.Component, **options: Any) -> None:
    """Calls the hook for the root of a page, as Reflex's compiler does."""
    written = SimpleNamespace(**{"context": {}, "on_load": None, "title": None, "description": None} | options)
    app = SimpleNamespace(_unevaluated_pages={route: written}, style={})
    plugin.enter_component(
        page,
        page_context=SimpleNamespace(root_component=page, route=route),
        compile_context=SimpleNamespace(app=app),
    )


def plugin() -> StaticFirstPlugin:
    return StaticFirstPlugin("site_app.layout.static_site:static_site")


def test_a_refused_page_is_named_as_it_was_written() -> None:
    with pytest.raises(SystemExit, match=r"rx\.upload on '/lab'"):
        enter(plugin(), "th/lab", rx.fragment(rx.upload(id="x")))


@pytest.mark.parametrize(
    ("binding", "code"),
    [
        (rx.call_script("let a = 1; show(a)"), "let a = 1; show(a)"),
        (rx.call_script("1+1"), "1+1"),
        ([rx.call_script("show('1')"), rx.call_script('if (a) show("1")')], 'if (a) show("1")'),
        (lambda: rx.cond(LabState.name == "x", rx.call_script("a = 1"), rx.noop()), "a = 1"),
    ],
)
def test_a_bound_script_that_is_more_than_a_call_stops_the_build(binding: Any, code: str) -> None:
    site = plugin()
    enter(site, "th/lab", rx.fragment(rx.el.button("x", on_click=binding)))

    with pytest.raises(SystemExit) as stopped:
        site.check_scripts()

    assert "rx.call_script in on_click of rx.el.button on '/lab': The policy of the pages" in str(stopped.value)
    assert f"only a single call: {code}. Write a function" in str(stopped.value)


def test_a_script_of_on_load_that_is_more_than_a_call_stops_the_build() -> None:
    site = plugin()
    enter(site, "th/lab", rx.fragment(), on_load=rx.call_script("let a = 1; show(a)"))

    with pytest.raises(SystemExit, match=r"rx\.call_script in on_load on '/lab': The policy of the pages"):
        site.check_scripts()


def test_the_reply_to_a_script_of_on_load_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bound_events, "get_web_dir", lambda: tmp_path)
    monkeypatch.setattr(bound_events, "get_backend_dir", lambda: tmp_path)
    site = StaticFirstPlugin()
    enter(site, "lab", rx.fragment(), on_load=[LabState.take("x"), rx.call_script("show(1)", callback=LabState.take)])

    site.update_env_json()

    assert f"{LabState.get_full_name()}.take" in BoundEvents()()


def test_bound_scripts_that_are_calls_pass() -> None:
    site = plugin()
    scripts = [rx.call_script("show(1)"), rx.call_script(f"show({LabState.name})"), rx.run_script("1+1"), rx.window_alert("x")]
    enter(site, "lab", rx.fragment(*(rx.el.button("x", on_click=script) for script in scripts)))

    site.check_scripts()


def test_a_title_or_description_that_is_a_var_is_noted_once(capsys: pytest.CaptureFixture[str]) -> None:
    site = plugin()
    for route in ("th/lab", "lab"):
        enter(site, route, rx.fragment(), title=LabState.name, description=rx.Var.create("A constant text"))

    site.print_notes()

    assert capsys.readouterr().out == (
        "Note: /lab: title= is a var, so search engines and shared links see only its first value, or nothing. Write a text.\n"
    )


def test_development_links_the_stylesheet_of_radix_before_its_package_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(themed_pages, "get_web_dir", lambda: tmp_path)
    plugin = themed_pages.ThemedPages(accent_color="violet")
    assert plugin.get_stylesheet_paths() == ()

    plugin.in_theme(rx.fragment(rx.button("x")))

    assert plugin.get_stylesheet_paths() == ("@radix-ui/themes/styles.css",)
