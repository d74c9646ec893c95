"""Adds Radix Themes only to the pages that use it.

rxconfig.py imports this module, so the development server never reloads it: it imports nothing of the other modules of this plugin.
"""

from pathlib import Path
from typing import Any

import reflex as rx
from reflex.utils.exec import is_prod_mode
from reflex.utils.prerequisites import get_web_dir
from reflex_components_radix import themes
from reflex_components_radix.plugin import RADIX_THEMES_STYLESHEET, RadixThemesPlugin

RADIX_SHEET = Path("node_modules") / RADIX_THEMES_STYLESHEET


class ThemedPages(RadixThemesPlugin):
    """Adds Radix Themes only to the pages that use it; list it in rxconfig.py beside StaticFirstPlugin.

    Reflex's own plugin adds the stylesheet and the theme to every page as soon as one page uses them.
    """

    def __init__(self, **theme: Any) -> None:
        """Takes the properties of rx.theme, such as accent_color."""
        super().__init__(theme=None, enabled=False)
        self._properties: dict[str, Any] = {"has_background": False, **theme}
        self._is_used = False  # by a page of this compile

    def enter_component(self, comp: Any, /, *, page_context: Any, compile_context: Any, in_prop_tree: bool = False) -> None:
        """Does nothing, so that not every page loads the package."""

    def compile_page(self, page_ctx: Any, /, **kwargs: Any) -> None:
        """Does nothing, because `in_theme` has already wrapped the pages that need the theme."""

    def get_stylesheet_paths(self, **_: Any) -> tuple[str, ...]:
        """Returns the stylesheet in development, for all pages: there no page is its own document, and the rules apply only inside a theme.

        Reflex asks after it has compiled the pages, and installs the packages of new pages afterwards.
        """
        is_linked = not is_prod_mode() and (self._is_used or (get_web_dir() / RADIX_SHEET).is_file())
        return (RADIX_THEMES_STYLESHEET,) if is_linked else ()

    def in_theme(self, page: rx.Component) -> rx.Component:
        """Returns the page inside a theme."""
        self._is_used = True
        return themes.theme(page, **self._properties)
