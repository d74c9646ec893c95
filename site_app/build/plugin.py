"""Makes Reflex's build static first, through its public plugin hooks: React waits, the style is in the page."""

from pathlib import Path
from typing import Any

import reflex as rx
from reflex.utils.exec import is_prod_mode
from reflex_base.config import get_config

from site_app.build.browser_files import browser_files
from site_app.build.bundle import early_router, one_core, only_a_chosen_theme, without_direct_eval, without_registry
from site_app.build.document import development_config, static_document, vite_config
from site_app.build.finish import finish
from site_app.build.patience import patient_socket
from site_app.build.styles import root_style
from site_app.settings import Settings


class StaticFirstPlugin(rx.plugins.Plugin):
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def get_static_assets(self, **_: Any) -> list[tuple[Path, str | bytes]]:
        return browser_files()

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"]("styles/tailwind.css", root_style)
        context["add_modify_task"]("utils/state.js", patient_socket)
        context["add_modify_task"]("utils/react-theme.js", only_a_chosen_theme)
        if is_prod_mode():  # development keeps the stock document: nothing finishes its pages
            context["add_modify_task"]("app/_document.js", static_document)
            context["add_modify_task"]("app/entry.client.js", early_router)
            context["add_modify_task"]("app/root.jsx", without_registry)
            context["add_modify_task"]("utils/state.js", without_direct_eval)
            context["add_modify_task"]("vite.config.js", lambda text: one_core(vite_config(text)))
        else:
            backend = get_config().api_url
            context["add_modify_task"]("vite.config.js", lambda text: development_config(text, backend=backend))

    def enter_component(self, comp: Any, /, *, page_context: Any, **_: Any) -> None:
        """Refuse a style prop: it would be an inline style, which the policy forbids."""
        if getattr(comp, "style", None):
            raise TypeError(
                f"{type(comp).__name__} on {page_context.route!r} has style props {dict(comp.style)}; use class_name, "
                "or custom_attrs for an attribute that Reflex does not know"
            )

    def post_build(self, **context: Any) -> None:
        finish(Path(context["static_dir"]), self._settings)
