"""Reflex components and vars for the scripts of this folder: layouts per language, lazy content, changes of page and language, the path's language."""

from collections.abc import Callable
from typing import Any, Self, cast

import reflex as rx
from reflex_base.utils.imports import ImportDict, ImportVar
from reflex_base.vars import VarData

_LAYOUTS_LIBRARY = "$/components/browser/layouts"


class InLayout(rx.Component):
    """Wraps its children in the layout that their page registered, or in the `english` one."""

    library = _LAYOUTS_LIBRARY
    tag = "InLayout"
    english: rx.Var[Any]


class RegisterLayout(rx.Fragment):
    """Renders nothing: makes the page's module register the layout of its language."""

    _language: str
    _layout: ImportVar
    _module: str

    @classmethod
    def of(cls, language: str, layout: rx.Component) -> Self:
        """Creates the component from a rendered layout memo, whatever its children."""
        component = cast(Self, cls.create())
        component._language = language
        component._module, component._layout = _place(layout)
        return component

    def add_imports(self) -> ImportDict:
        return {_LAYOUTS_LIBRARY: [ImportVar("registerLayout")], self._module: [self._layout]}

    def add_custom_code(self) -> list[str]:
        return [f'registerLayout("{self._language}", {self._layout.tag});']


def memo_itself(layout: rx.Component) -> rx.Var[Any]:
    """Returns the component of an element, to pass it as a prop."""
    module, imported = _place(layout)
    return rx.Var(str(imported.tag), _var_data=VarData(imports={module: [imported]}))


def _place(layout: rx.Component) -> tuple[str, ImportVar]:
    return str(layout.library), ImportVar(str(layout.tag))


class LazyContent(rx.Component):
    """Loads its content with `load`. Its two children are the skeleton, and the message if loading fails, with a button to retry."""

    library = "$/components/browser/lazy_content"
    tag = "LazyContent"
    load: rx.Var[Any]


def fetched(memo: Callable[..., rx.Component]) -> rx.Var:
    """Returns a browser function that loads an @rx.memo without arguments; nothing else loads its chunk."""
    sample = memo()
    return rx.Var(f"(() => import({sample.library!r}).then((module) => module.{sample.tag}))")


def _reported(name: rx.Var[str], seq: rx.Var[int]) -> tuple[rx.Var[str], rx.Var[int]]:
    return name, seq


class OpenStateSync(rx.Component):
    """Wraps <dialog> or <details> elements with an id or a data-name; `name` is its own name, `seq` the newest change that the state knows.

    With `keeps`, reopens the open element when the component mounts again.
    """

    library = "$/components/browser/open_state_sync"
    tag = "OpenStateSync"
    name: rx.Var[str]
    keeps: rx.Var[bool]
    open_id: rx.Var[str]
    seq: rx.Var[int]
    hydrated: rx.Var[bool]
    on_report: rx.EventHandler[_reported]


class StartReaderScripts(rx.Component):
    """Starts the reader scripts in development, where Reflex's document does not include them."""

    library = "$/components/browser/start_reader_scripts"
    tag = "StartReaderScripts"


class PageLoader(rx.Component):
    """Preloads pages, fades them in, and recovers if one fails to load. `words`: failed, again; `paths` are those of all pages."""

    library = "$/components/browser/page_loader"
    tag = "PageLoader"
    words: rx.Var[dict[str, str]]
    paths: rx.Var[list[str]]
    redirects: rx.Var[dict[str, str]]


class ScrollMemory(rx.Component):
    library = "$/components/browser/scroll_memory"
    tag = "ScrollMemory"


_PAGE_CHANGE_LIBRARY = "$/components/browser/page_change"


class PageChange(rx.Component):
    """Moves the focus to the h1 of a new page and makes screen readers read its title."""

    library = _PAGE_CHANGE_LIBRARY
    tag = "PageChange"


class NotFound(rx.Component):
    """The page for an unknown address: redirects to the new address of a moved page, or to the home page."""

    library = _PAGE_CHANGE_LIBRARY
    tag = "NotFound"
    redirects: rx.Var[dict[str, str]]


class LanguageChoice(rx.Component):
    """Follows the link to the `chosen_language` when `choice_count` grows; calls `on_stale` if the lists are not in the page's language."""

    library = "$/components/browser/language_choice"
    tag = "LanguageChoice"
    chosen_language: rx.Var[str]
    choice_count: rx.Var[int]
    listed: rx.Var[str]
    hydrated: rx.Var[bool]
    on_stale: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class CallFailures(rx.Component):
    """Logs failed calls of the server to the browser's console; `counts` are the failures by the call's name."""

    library = "$/components/browser/call_failures"
    tag = "CallFailures"
    counts: rx.Var[dict[str, int]]
    hydrated: rx.Var[bool]


_LOCALE_LIBRARY = "$/components/browser/locale"


def from_path(expression: str) -> rx.Var[str]:
    """Returns a var with the result of a locale.js function for the current `pathname`."""
    imports = {"react-router": [ImportVar("useLocation")], _LOCALE_LIBRARY: [ImportVar(expression.partition("(")[0])]}
    hooks = {"const pathname = useLocation().pathname": None}
    return rx.Var(expression, _var_data=VarData(imports=imports, hooks=hooks)).to(str)


def current_page(href: str) -> dict[str, rx.Var]:
    """Returns the attributes of a link in the layout, which mark it when its page is the current one."""
    return {"aria-current": from_path(f"ariaCurrent(pathname, {href!r})")}


def html_lang() -> rx.Var[str]:
    """Returns the lang attribute for <html> as an expression, because Reflex allows no hooks there."""
    imports = {"react-router": [ImportVar("useLocation")], _LOCALE_LIBRARY: [ImportVar("htmlLang")]}
    return rx.Var("htmlLang(useLocation().pathname)", _var_data=VarData(imports=imports))


def by_locale(variants: dict[str, Any]) -> rx.Component:
    """Returns the variant in the page's language; English is the default and must be the first."""
    english, *translated = variants.items()
    return cast(rx.Component, rx.match(from_path("localeOf(pathname)"), *translated, english[1]))
