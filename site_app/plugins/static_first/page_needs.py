"""What a page needs of React, read from its components: state, start, style; and Radix Themes on the pages that use it alone."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, get_type_hints

import reflex as rx
from reflex.state import State
from reflex.utils.exec import is_prod_mode
from reflex.utils.prerequisites import get_backend_dir, get_web_dir
from reflex_base.components.component import BaseComponent, Component
from reflex_base.components.memo import MemoComponent
from reflex_base.event import EventSpec
from reflex_components_core.core.helmet import Helmet
from reflex_components_core.core.upload import Upload
from reflex_components_core.el.elements.scripts import Script
from reflex_components_lucide.icon import LucideIconComponent
from reflex_components_radix import themes
from reflex_components_radix.plugin import RADIX_THEMES_STYLESHEET, RadixThemesPlugin
from reflex_components_radix.themes.base import RadixThemesComponent

Boot = Literal["intent", "load"]
NEEDS_FILE = "page_needs.json"  # beside what else the backend reads: the compiler and the bundler may be two processes

# Parts of Radix Themes that are markup alone: they can be read, and pressed where they have a handler, before React is there.
_STATIC_RADIX = ("layout", "typography")
_STATIC_RADIX_PARTS = frozenset(
    {
        "aspect_ratio", "avatar", "badge", "button", "callout", "card", "data_list", "icon_button", "inset", "progress", "separator",
        "skeleton", "spinner", "table", "text_area", "text_field",
    }
)  # fmt: skip


class PageRefused(Exception):
    """A page uses what a static page cannot have; the text says what to write instead."""


@dataclass
class PageNeeds:
    """`boot` is when React starts, `reasons` why at once; a page with `own_document` is always loaded as a document of its own."""

    boot: Boot = "intent"
    reasons: list[str] = field(default_factory=list)
    shows_state: bool = False
    own_document: bool = False


def page_needs(root: BaseComponent, *, route: str, boot: Boot | None, on_load: bool) -> PageNeeds:
    """Read them from the tree of a page; `boot` is what the page itself asks for, and wins."""
    needs = PageNeeds()
    reasons = ["on_load"] if on_load else []
    for component in _tree(root):
        _refuse(component, route)
        own_script = str(getattr(component, "library", None) or "").startswith(
            "$/"
        )  # a site's own parts say themselves what they need
        states = set() if own_script else _states(component)
        needs.shows_state |= bool(states)
        needs.own_document |= isinstance(component, RadixThemesComponent)
        if any(map(_has_browser_storage, states)):
            reasons.append("browser storage")
        if {"on_mount", "on_unmount"} & getattr(component, "event_triggers", {}).keys():
            reasons.append("on_mount")
        if not own_script and _lives_by_react(component):
            reasons.append(f"{type(component).__name__} of {component.library}")
    needs.boot = boot or ("load" if reasons else "intent")
    needs.reasons = list(dict.fromkeys(reasons)) if needs.boot == "load" else []
    return needs


def write_needs(needs: Mapping[str, PageNeeds]) -> str:
    """As text for a file."""
    return json.dumps({route: asdict(page) for route, page in needs.items()}, indent=1)


def read_needs(folder: Path | None = None) -> dict[str, PageNeeds]:
    """By the path of each page, as the compiler has written them."""
    file = (folder or get_backend_dir()) / NEEDS_FILE
    return {path: PageNeeds(**page) for path, page in json.loads(file.read_text()).items()}


def _tree(component: BaseComponent, seen: set[int] | None = None) -> Iterator[BaseComponent]:
    """The component and all that is in it: children, components in props, and what memos are made of."""
    seen = set() if seen is None else seen
    if id(component) in seen:
        return
    seen.add(id(component))
    yield component
    inner = [*component.children]
    if isinstance(component, Component):
        inner += component._get_components_in_props()
    if isinstance(component, MemoComponent) and component._memo_definition:
        inner.append(component._memo_definition.component)
    for part in inner:
        yield from _tree(part, seen)


def _states(component: BaseComponent) -> set[str]:
    """The full names of the states that this component shows something of."""
    if not isinstance(component, Component):
        return set()
    data = [var._get_all_var_data() for var in component._get_vars(include_children=False)]
    return {each.state for each in data if each and each.state}


def _has_browser_storage(state: str) -> bool:
    """Whether a var of the state lives in the visitor's browser, so that the page is not true before React has read it."""
    try:
        fields = State.get_class_substate(state)
    except ValueError:
        return False
    return any(fields._is_client_storage(name) for name in fields.get_fields())


def _lives_by_react(component: BaseComponent) -> bool:
    """Whether it is a part of a package that answers by scripts of its own, where an element could wait for the first press."""
    library = getattr(component, "library", None)
    if not library or library in ("react", "react-router") or isinstance(component, LucideIconComponent | MemoComponent):
        return False
    if "debounce" in library:  # Reflex's own wrapper of an input
        return False
    *_, package, module = type(component).__module__.split(".")
    if isinstance(component, RadixThemesComponent):
        return package not in _STATIC_RADIX and module not in _STATIC_RADIX_PARTS and module != "base"
    return True


def _refuse(component: BaseComponent, route: str) -> None:
    for trigger, chain in getattr(component, "event_triggers", {}).items():
        for event in getattr(chain, "events", ()):
            if isinstance(event, EventSpec):
                _refuse_text_for_number(event, f"{trigger} of {type(component).__name__} on {route!r}")
    if isinstance(component, Upload):
        raise PageRefused(
            f"rx.upload on {route!r}: its limits hold in the browser alone, and its files would be public. "
            "Use a form with a field of files: docs/guide/forms.md."
        )
    # rx.script is an element that Helmet puts into the head; an element of the page itself has its hash in the policy.
    if isinstance(component, Helmet) and any(isinstance(child, Script) and child.children for child in component.children):
        raise PageRefused(
            f"rx.script with text on {route!r}: the policy of the pages forbids scripts that stand in a page. "
            "Put the script into assets/ and name it with src=."
        )


def _refuse_text_for_number(event: EventSpec, binding: str) -> None:
    """Reflex lets a handler say that it takes text where the browser sends a number; the guard of the socket does not."""
    try:
        annotations = get_type_hints(event.handler.fn)
    except NameError:  # told where the handler's payload is checked
        return
    for parameter, value in event.args:
        if annotations.get(str(parameter)) is str and value._var_type in (int, float):
            handler = event.handler.fn.__qualname__
            raise PageRefused(f"{handler} gets a number from {binding}. Write {parameter}: float instead of {parameter}: str.")


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
