"""Radix Themes on the pages that use it, and on no other: its style, its tokens and its package stay with these pages."""

from pathlib import Path
from typing import Any

import reflex as rx
from reflex.utils.exec import is_prod_mode
from reflex.utils.prerequisites import get_web_dir
from reflex_components_radix import themes
from reflex_components_radix.plugin import RADIX_THEMES_STYLESHEET, RadixThemesPlugin

SHEET = Path("node_modules") / RADIX_THEMES_STYLESHEET


class ThemedPages(RadixThemesPlugin):
    """Stands in rxconfig.py beside StaticFirstPlugin. Reflex's own plugin gives the style and a theme to every page as soon as one has a part of it."""

    def __init__(self, **theme: Any) -> None:
        """`theme` are properties of rx.theme, such as accent_color."""
        super().__init__(theme=None, enabled=False)
        self._properties: dict[str, Any] = {"has_background": False, **theme}

    def enter_component(self, comp: Any, /, *, page_context: Any, compile_context: Any, in_prop_tree: bool = False) -> None:
        """Leave the package out of what every page loads."""

    def compile_page(self, page_ctx: Any, /, **kwargs: Any) -> None:
        """Wrap no page: `around` has done it for those that need it."""

    def get_stylesheet_paths(self, **_: Any) -> tuple[str, ...]:
        """In development, where no page is a document of its own, the sheet is there for all; its rules hold inside a theme alone."""
        return () if is_prod_mode() or not (get_web_dir() / SHEET).is_file() else (RADIX_THEMES_STYLESHEET,)

    def around(self, page: rx.Component) -> rx.Component:
        """The page inside a theme."""
        return themes.theme(page, **self._properties)
