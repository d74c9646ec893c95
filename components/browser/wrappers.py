"""Reflex components and vars for the scripts of this folder: layouts per language, content loaded late, watchers, the path's
language.
"""

from collections.abc import Callable
from typing import Any, Self, cast

import reflex as rx
from reflex_base.utils.imports import ImportDict, ImportVar
from reflex_base.vars import VarData

_LAYOUTS_LIBRARY = "$/components/browser/layouts"


class InLayout(rx.Component):
    """Its children in the layout that their page has brought along, or in the `english` one."""

    library = _LAYOUTS_LIBRARY
    tag = "InLayout"
    english: rx.Var[Any]


class KeepsLayout(rx.Fragment):
    """Nothing to see: makes the page's module bring along the layout of its language."""

    _language: str
    _layout: ImportVar
    _module: str

    @classmethod
    def of(cls, language: str, layout: rx.Component) -> Self:
        """For a memo of a layout, with anything inside."""
        component = cast(Self, cls.create())
        component._language, component._module, component._layout = language, *_place(layout)
        return component

    def add_imports(self) -> ImportDict:
        return {_LAYOUTS_LIBRARY: [ImportVar("keepLayout")], self._module: [self._layout]}

    def add_custom_code(self) -> list[str]:
        return [f'keepLayout("{self._language}", {self._layout.tag});']


def memo_itself(layout: rx.Component) -> rx.Var[Any]:
    """The component behind an element, to be handed on as a prop."""
    module, imported = _place(layout)
    return rx.Var(str(imported.tag), _var_data=VarData(imports={module: [imported]}))


def _place(layout: rx.Component) -> tuple[str, ImportVar]:
    return str(layout.library), ImportVar(str(layout.tag))


class LazyContent(rx.Component):
    """Its two children are a skeleton, shown until `load` has come, and what is shown if it fails, with a button to try again."""

    library = "$/components/browser/lazy_content"
    tag = "LazyContent"
    load: rx.Var[Any]


def fetched(memo: Callable[..., rx.Component]) -> rx.Var:
    """A function of the browser that fetches an @rx.memo without arguments; nothing else loads its chunk."""
    sample = memo()
    return rx.Var(f"(() => import({sample.library!r}).then((module) => module.{sample.tag}))")


def _reported(name: rx.Var[str], seq: rx.Var[int]) -> tuple[rx.Var[str], rx.Var[int]]:
    return name, seq


class OpenStateSync(rx.Component):
    """Around <dialog> or <details> elements with an id or a data-name; `name` is its own, `seq` the newest change the state knows.

    With `keeps`, what was open is opened again when the part comes back.
    """

    library = "$/components/browser/open_state_sync"
    tag = "OpenStateSync"
    name: rx.Var[str]
    keeps: rx.Var[bool]
    open_id: rx.Var[str]
    seq: rx.Var[int]
    hydrated: rx.Var[bool]
    on_report: rx.EventHandler[_reported]


_WATCHERS_LIBRARY = "$/components/browser/watchers"


class ReadInDevelopment(rx.Component):
    """Starts the plain script of a page in development, where no document of ours brings it."""

    library = _WATCHERS_LIBRARY
    tag = "ReadInDevelopment"


class PageLoader(rx.Component):
    """Fetches pages ahead, fades them in, recovers when one does not come; `words` are `failed` and `again`, `paths` those of the pages."""

    library = "$/components/browser/page_loader"
    tag = "PageLoader"
    words: rx.Var[dict[str, str]]
    paths: rx.Var[list[str]]
    redirects: rx.Var[dict[str, str]]


class ScrollMemory(rx.Component):
    library = "$/components/browser/scroll_memory"
    tag = "ScrollMemory"


class PageChange(rx.Component):
    """Moves the focus to a new page's h1 and has its title read out."""

    library = _WATCHERS_LIBRARY
    tag = "PageChange"


class NotFound(rx.Component):
    """The page of an address that has none: leads on to where it has moved, or home."""

    library = _WATCHERS_LIBRARY
    tag = "NotFound"
    redirects: rx.Var[dict[str, str]]


class LanguageChoice(rx.Component):
    """Follows the link to the `chosen` language whenever `choices` grows; calls `on_stale` where the lists are in another than the page's."""

    library = _WATCHERS_LIBRARY
    tag = "LanguageChoice"
    chosen: rx.Var[str]
    choices: rx.Var[int]
    listed: rx.Var[str]
    hydrated: rx.Var[bool]
    on_stale: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class CallFailures(rx.Component):
    """Writes to the browser's console which of the server's calls have failed: `counts` by the call's name."""

    library = _WATCHERS_LIBRARY
    tag = "CallFailures"
    counts: rx.Var[dict[str, int]]
    hydrated: rx.Var[bool]


_LOCALE_LIBRARY = "$/components/browser/locale"


def from_path(expression: str) -> rx.Var[str]:
    """What a function of locale.js says about the current `pathname`."""
    imports = {"react-router": [ImportVar("useLocation")], _LOCALE_LIBRARY: [ImportVar(expression.partition("(")[0])]}
    hooks = {"const pathname = useLocation().pathname": None}
    return rx.Var(expression, _var_data=VarData(imports=imports, hooks=hooks)).to(str)


def current_page(href: str) -> dict[str, rx.Var]:
    """The attributes of a link in the layout: it says so when its page is the one shown."""
    return {"aria-current": from_path(f"current(pathname, {href!r})")}


def html_lang() -> rx.Var[str]:
    """For <html>, where Reflex allows no hook lines: the call stands in the attribute."""
    imports = {"react-router": [ImportVar("useLocation")], _LOCALE_LIBRARY: [ImportVar("htmlLang")]}
    return rx.Var("htmlLang(useLocation().pathname)", _var_data=VarData(imports=imports))


def by_locale(variants: dict[str, Any]) -> rx.Component:
    """Of a part built once per language, the one of the page's language; English is the first and the default."""
    english, *translated = variants.items()
    return cast(rx.Component, rx.match(from_path("localeOf(pathname)"), *translated, english[1]))
