"""Makes Reflex's build static first, through its public plugin hooks: React waits, the style is in the page.

rxconfig.py imports this module, and the development server never loads again what rxconfig.py imports. So the site's own module is
named by a string, and the hooks import it in the process that loads all sources anew.
"""

import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import reflex as rx
from reflex.utils.exec import is_prod_mode
from reflex_base.config import get_config

from site_app.static_first import FINISHED

if TYPE_CHECKING:
    from site_app.static_first.site import StaticSite


class StaticFirstPlugin(rx.plugins.Plugin):
    """`site` is "module:function", of a function that returns a StaticSite; without it all defaults hold."""

    def __init__(self, site: str = "site_app.static_first.site:StaticSite") -> None:
        self._name = site

    def get_static_assets(self, **_: Any) -> list[tuple[Path, str]]:
        from site_app.static_first.browser_files import browser_files

        return browser_files(self._site())

    def pre_compile(self, **context: Any) -> None:
        from site_app.static_first.browser_files import compiled
        from site_app.static_first.failure_report import REPORT
        from site_app.static_first.patch import development_config, only_a_chosen_theme, own_style, static_document, vite_config

        site, edit = self._site(), context["add_modify_task"]
        site.draw(compiled() / "public")
        if site.sources and (site.sources / "theme.css").is_file():
            edit("styles/tailwind.css", partial(own_style, sources=site.sources))
        edit("utils/react-theme.js", only_a_chosen_theme)
        if is_prod_mode():  # development keeps Reflex's own document, since its pages are not postprocessed
            edit("app/_document.js", static_document)
            edit("vite.config.js", partial(vite_config, core=site.core))
        else:
            (compiled() / REPORT).unlink(missing_ok=True)  # all sources could be loaded
            backend = f"http://127.0.0.1:{get_config().backend_port}"
            edit("vite.config.js", partial(development_config, site=site, backend=backend))

    def enter_component(self, comp: Any, /, *, page_context: Any, **_: Any) -> None:
        """Refuse a style prop: it would be an inline style, which the policy forbids."""
        if getattr(comp, "style", None):
            raise TypeError(
                f"{type(comp).__name__} on {page_context.route!r} has style props {dict(comp.style)}; use class_name, "
                "or custom_attrs for an attribute that Reflex does not know"
            )

    def post_build(self, **context: Any) -> None:
        from site_app.static_first.postprocess import postprocess

        postprocess(Path(context["static_dir"]), self._site())
        sys.stdout.write(f"{FINISHED}\n")

    def _site(self) -> "StaticSite":
        module, _, name = self._name.partition(":")
        return getattr(import_module(module), name)()
