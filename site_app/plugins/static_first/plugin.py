"""Makes Reflex's build static first, through its public plugin hooks: React starts later, the styles are in the page.

rxconfig.py imports this module, and the development server never reloads what rxconfig.py imports. So the site's own module is given
as a string, and the hooks import it in the process that reloads all sources.
"""

import gc
import json
import sys
from collections.abc import Callable
from functools import cached_property, partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import reflex as rx
from reflex.utils.exec import is_prod_mode
from reflex_base.config import get_config

from site_app.plugins.static_first import FINISHED, NOT_BUILT, NOTE

if TYPE_CHECKING:
    from site_app.plugins.static_first.page_needs import PageNeeds
    from site_app.plugins.static_first.site import StaticSite


class StaticFirstPlugin(rx.plugins.Plugin):
    """`site` names a function that returns a StaticSite, as "module:function"; without it all defaults apply."""

    def __init__(self, site: str = "site_app.plugins.static_first.site:StaticSite") -> None:
        self._name = site
        self._needs: dict[str, PageNeeds] = {}
        self._packages: set[str] = set()
        self._load_events: dict[str, list[Any]] = {}  # of each page's on_load
        self._scripts: dict[str, str] = {}  # the texts of rx.call_script, each with its place
        self._notes: dict[str, None] = {}  # advice for the developer, each once

    def get_frontend_dependencies(self, **_: Any) -> list[str]:
        """Returns the packages of the pages read so far; Reflex calls this again after all of them."""
        return sorted(self._packages)

    def get_static_assets(self, **_: Any) -> list[tuple[Path, str]]:
        from site_app.plugins.static_first.page_needs import NEEDS_FILE, write_needs
        from site_app.plugins.static_first.site import browser_files

        return [*browser_files(self._site(), self._needs), (Path("backend") / NEEDS_FILE, write_needs(self._needs))]

    def pre_compile(self, **context: Any) -> None:
        from site_app.plugins.static_first.patch import (
            edit_development_config,
            edit_document,
            edit_react_theme,
            edit_state_js,
            edit_tailwind_css,
            edit_vite_config,
        )
        from site_app.plugins.static_first.site import compiled, remove_namesakes
        from site_app.plugins.static_first.toolchain import REPORT

        site = self._site()
        edit = context["add_modify_task"]
        site.draw_assets(compiled() / "public")
        if site.sources:
            remove_namesakes(site.sources, compiled())
        if site.sources and (site.sources / "theme.css").is_file():
            edit("styles/tailwind.css", partial(edit_tailwind_css, sources=site.sources))
        edit("utils/react-theme.js", edit_react_theme)
        edit("utils/state.js", edit_state_js)
        if is_prod_mode():  # development keeps Reflex's own document, since its pages are not postprocessed
            edit("app/_document.js", edit_document)
            edit("vite.config.js", partial(edit_vite_config, core=site.core_modules))
        else:
            (compiled() / REPORT).unlink(missing_ok=True)  # loading all sources succeeded
            backend = f"http://127.0.0.1:{get_config().backend_port}"
            edit("vite.config.js", partial(edit_development_config, site=site, backend=backend))

    def enter_component(self, comp: Any, /, *, page_context: Any, compile_context: Any, **_: Any) -> Any:
        """Reads the needs of a page from its root, before the compiler changes the tree."""
        if comp is not page_context.root_component:
            return None
        from site_app.plugins.static_first.page_needs import mark_controls, page_needs, peer_packages
        from site_app.plugins.static_first.page_parts import parts_of
        from site_app.plugins.static_first.refusals import PageRefused, called_scripts

        # not public, but nothing else says which page asks for boot= or has an on_load
        page = compile_context.app._unevaluated_pages[page_context.route]
        path = page_path(page_context.route)
        written_path = self._written_path(path)
        parts = parts_of(comp, compile_context.app.style)
        try:
            needs = page_needs(parts, route=written_path, boot=page.context.get("boot"), on_load=bool(page.on_load))
        except PageRefused as refused:
            stop(str(refused))
        if needs.own_document:
            mark_controls(comp)
        self._needs[path] = needs
        self._notes |= dict.fromkeys(
            f"{written_path}: {option}= is a var, so search engines and shared links see only its first value, or nothing. Write a text."
            for option in ("title", "description")
            if _is_of_state(getattr(page, option))
        )
        self._load_events[path] = [*page.on_load] if isinstance(page.on_load, list | tuple) else [page.on_load]
        self._scripts = called_scripts(parts, written_path, self._load_events[path]) | self._scripts
        self._packages |= peer_packages(parts)
        return self._in_theme(comp, page_context) if needs.is_themed else None

    def update_env_json(self, **_: Any) -> None:
        """Writes the lists of bound events and of pages to render: Reflex calls this hook between the compiler and the bundler."""
        self.check_scripts()
        self._list_events()
        if is_prod_mode():
            self.print_notes()
            from site_app.plugins.static_first.page_cache import choose_pages
            from site_app.plugins.static_first.site import compiled

            choose_pages(compiled())

    def post_compile(self, **_: Any) -> None:
        """Writes the list of bound events in development, where nothing is bundled."""
        if not is_prod_mode():
            self.check_scripts()
            self._list_events()

    def post_build(self, **context: Any) -> None:
        from site_app.plugins.static_first.check import BrokenSite
        from site_app.plugins.static_first.page_cache import add_cached_pages
        from site_app.plugins.static_first.postprocess import postprocess
        from site_app.plugins.static_first.site import compiled

        static = Path(context["static_dir"])
        add_cached_pages(compiled(), static)
        try:
            notes = postprocess(static, self._site())
        except BrokenSite as broken:
            stop(str(broken))
        sys.stdout.write("".join(f"{NOTE}{note}\n" for note in notes) + f"{FINISHED}\n")
        gc.freeze()  # at its end Python would take the pages' trees apart for two seconds

    def print_notes(self) -> None:
        """Prints the advice on the pages that were compiled."""
        sys.stdout.write("".join(f"{NOTE}{note}\n" for note in self._notes))

    def check_scripts(self) -> None:
        """Stops the build if a page binds an rx.call_script with more than a call, which the browser would refuse at the press."""
        if not self._scripts:
            return
        from site_app.plugins.static_first.postprocess import run_node

        results = json.loads(run_node("check_calls.mjs", codes=[*self._scripts]))
        problems = [f"{place}: {problem}" for place, problem in zip(self._scripts.values(), results, strict=True) if problem]
        if problems:
            stop("\n".join(problems))

    def _list_events(self) -> None:
        from reflex_base.registry import RegistrationContext

        from site_app.plugins.static_first.bound_events import reflex_events, write_bound_events

        handlers = RegistrationContext.ensure_context().event_handlers
        bound = set(write_bound_events(chain.from_iterable(self._load_events.values()))).difference(reflex_events())
        if not bound.intersection(handlers):  # no events, or another process loaded and compiled the app
            return
        if problems := self._site().check_events(bound, handlers):
            stop("\n".join(problems))

    def _in_theme(self, root: Any, page_context: Any) -> Any:
        from reflex_components_core.el.elements.metadata import Head, Meta, Title

        from site_app.plugins.static_first.themed_pages import ThemedPages

        plugin = next((plugin for plugin in get_config().plugins if isinstance(plugin, ThemedPages)), None)
        if plugin is None:
            stop(
                f"{page_path(page_context.route)} has parts of Radix Themes: list ThemedPages() among the plugins in rxconfig.py."
            )
        head_parts = [child for child in root.children if isinstance(child, Head | Meta | Title)]
        owned = page_context.own(root)
        owned.children = [
            plugin.in_theme(rx.fragment(*(child for child in root.children if child not in head_parts))),
            *head_parts,
        ]
        return owned

    @cached_property
    def _written_path(self) -> Callable[[str], str]:
        return self._site().written_path  # kept, because a large site asks it for each of its pages

    def _site(self) -> "StaticSite":
        module, _, name = self._name.partition(":")
        return getattr(import_module(module), name)()


def _is_of_state(value: Any) -> bool:
    """Returns True for a var whose value changes; the words of a page may be constant vars too."""
    data = value._get_all_var_data() if isinstance(value, rx.Var) else None
    return bool(data and data.state)


def page_path(route: str) -> str:
    """Returns the path of a page from Reflex's route name."""
    return "/" if route == "index" else f"/{route}"


def stop(problem: str) -> NoReturn:
    """Ends the build with a sentence; an exception would show forty lines of Reflex's traceback."""
    sys.exit(f"{NOT_BUILT}\n{problem}")
