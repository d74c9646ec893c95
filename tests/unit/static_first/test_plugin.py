"""The plugin's hooks, called as Reflex calls them."""

from types import SimpleNamespace
from typing import Any

import pytest
import reflex as rx

from site_app.plugins.static_first.plugin import StaticFirstPlugin


def enter(plugin: StaticFirstPlugin, route: str, page: rx.Component, **options: Any) -> None:
    """Calls the hook for the root of a page, as Reflex's compiler does."""
    written = SimpleNamespace(**{"context": {}, "on_load": None, "title": None, "description": None} | options)
    app = SimpleNamespace(_unevaluated_pages={route: written})
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
