"""Makes Reflex's build static first, through its public plugin hooks: React waits, the style is in the page.

What this module imports at its top, rxconfig.py does, and the development server keeps it as it was at its start. So the site's own
modules are imported by the hooks, in the process that reads all sources anew.
"""

import sys
from pathlib import Path
from typing import Any

import reflex as rx
from reflex.utils.exec import is_prod_mode
from reflex_base.config import get_config

from site_app.settings import Settings
from site_app.static_first import FINISHED


class StaticFirstPlugin(rx.plugins.Plugin):
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def get_static_assets(self, **_: Any) -> list[tuple[Path, str | bytes]]:
        from site_app.static_first.browser_files import browser_files

        return browser_files()

    def pre_compile(self, **context: Any) -> None:
        from site_app.static_first.browser_files import write_icons
        from site_app.static_first.patch import development_config, only_a_chosen_theme, own_style, static_document, vite_config

        write_icons()
        context["add_modify_task"]("styles/tailwind.css", own_style)
        context["add_modify_task"]("utils/react-theme.js", only_a_chosen_theme)
        if is_prod_mode():  # development keeps the stock document: nothing finishes its pages
            context["add_modify_task"]("app/_document.js", static_document)
            context["add_modify_task"]("vite.config.js", vite_config)
        else:
            backend = f"http://127.0.0.1:{get_config().backend_port}"
            context["add_modify_task"]("vite.config.js", lambda text: development_config(text, backend=backend))

    def enter_component(self, comp: Any, /, *, page_context: Any, **_: Any) -> None:
        """Refuse a style prop: it would be an inline style, which the policy forbids."""
        if getattr(comp, "style", None):
            raise TypeError(
                f"{type(comp).__name__} on {page_context.route!r} has style props {dict(comp.style)}; use class_name, "
                "or custom_attrs for an attribute that Reflex does not know"
            )

    def post_build(self, **context: Any) -> None:
        from site_app.static_first.finish import finish

        finish(Path(context["static_dir"]), self._settings)
        sys.stdout.write(f"{FINISHED}\n")
