"""Pages that modules add with @rx.page."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import reflex as rx

from site_app import site_app as site
from site_app.core.locales import LOCALES
from site_app.site_app import add_translations, load_modules


@pytest.fixture
def routes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    added: list[str] = []
    monkeypatch.setattr(site.app, "add_page", lambda page, *, route, **options: added.append(route))
    return added


def open_positions() -> rx.Component:
    return rx.el.h1("Open positions")


def index() -> rx.Component:
    return rx.el.h1("Home")


@pytest.mark.parametrize(
    ("build", "options", "path"),
    [
        (open_positions, {}, "/open-positions"),
        (open_positions, {"route": "/jobs"}, "/jobs"),
        (open_positions, {"route": "jobs"}, "/jobs"),
        (index, {}, ""),
    ],
)
def test_translations_have_the_address_that_reflex_gives_the_page(
    routes: list[str], build: Any, options: dict[str, Any], path: str
) -> None:
    add_translations(build, options)

    assert set(routes) == {f"{locale.prefix}{path}" for locale in LOCALES[1:]}


def test_modules_of_subpackages_are_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("lab_pages/__init__.py", "lab_pages/hours.py", "lab_pages/shop/__init__.py", "lab_pages/shop/cart.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    monkeypatch.syspath_prepend(tmp_path)

    load_modules(import_module("lab_pages"))

    assert {name for name in sys.modules if name.startswith("lab_pages.")} == {
        "lab_pages.hours",
        "lab_pages.shop",
        "lab_pages.shop.cart",
    }
