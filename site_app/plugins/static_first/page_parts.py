"""The parts of a page: its components, each with what the rules of page_needs.py and refusals.py read of it.

A site of a thousand pages has 300,000 components, and Reflex builds most of these values anew at each call: so each is read once, and what
follows from a component's class is looked up.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from functools import cache
from typing import Any

import reflex as rx
from reflex_base.components.component import BaseComponent, Component
from reflex_base.components.memo import MemoComponent
from reflex_base.event import EventChain
from reflex_base.style import Style
from reflex_base.vars.base import VarData


@cache
def inherits(kind: type, *bases: type) -> bool:
    """Returns issubclass(kind, bases), of which Reflex's classes make a slow search."""
    return issubclass(kind, bases)


class PagePart:
    """A component of a page, with the styles that the compiler adds to it later: those of its class, add_style, and of the app.

    `library` is its JavaScript module, or "". `has_own_script` says that it is one of the site's own scripts: they mark their needs
    themselves, but memos and the files of $/public, which rx.asset has copied, do not. `data` is that of all vars; a constant has
    none. `text` has the style and all vars as the compiler writes them.
    """

    def __init__(self, component: BaseComponent, app_style: dict[Any, Any]) -> None:
        self.kind = type(component)
        self.is_component = inherits(self.kind, Component)
        self.component: Any = _with_whole_style(component, app_style) if self.is_component else component
        self.vars: Sequence[rx.Var] = [*self.component._get_vars(include_children=False)] if self.is_component else ()
        self.triggers: dict[str, EventChain | rx.Var] = getattr(component, "event_triggers", {})
        self.library = str(getattr(component, "library", None) or "")
        self.has_own_script = (
            self.library.startswith("$/") and not self.library.startswith("$/public/") and not self.inherits(MemoComponent)
        )
        self.data = [data for var in self.vars if (data := var._get_all_var_data())]
        self.style_text = str(getattr(self.component, "style", None) or "")
        self.text = "\n".join((self.style_text, *map(str, self.vars)))

    def inherits(self, *bases: type) -> bool:
        """Returns True if the component's class is, or inherits from, one of these."""
        return inherits(self.kind, *bases)

    def shown_vars(self) -> Sequence[rx.Var]:
        """Returns the vars that this component shows. Arguments of events are not shown."""
        if not self.triggers:
            return self.vars
        arguments = {id(var) for _, of_trigger in Component._get_vars_from_event_triggers(self.triggers) for var in of_trigger}
        return [var for var in self.vars if id(var) not in arguments]

    def shown_data(self) -> list[VarData]:
        """Returns the data of the vars that this component shows."""
        if not self.data or not self.triggers:
            return self.data
        return [data for var in self.shown_vars() if (data := var._get_all_var_data())]

    def written_name(self) -> str:
        """Returns the name by which a page writes the component: rx.el.input for a ValueNumberInput."""
        is_element = self.kind.__module__.startswith("reflex_components_core.el.")
        return f"rx.el.{self.component.tag}" if is_element and self.is_component else self.kind.__name__


def parts_of(root: BaseComponent, app_style: dict[Any, Any] | None = None) -> list[PagePart]:
    """Returns all parts of a page. `app_style` is the style of the rx.App."""
    return [PagePart(component, app_style or {}) for component in tree(root)]


def tree(root: BaseComponent) -> Iterator[BaseComponent]:
    """Yields the component and everything in it: children, components in props, and the content of memos."""
    visited = set[int]()
    to_visit: list[Any] = [root]  # of which only some kinds have what is read below
    while to_visit:
        component = to_visit.pop()
        if id(component) in visited:
            continue
        visited.add(id(component))
        yield component
        inner = [*component.children]
        if inherits(type(component), Component):
            inner += component._get_components_in_props()
        if inherits(type(component), MemoComponent) and component._memo_definition:
            inner.append(component._memo_definition.component)
        to_visit += reversed(inner)


def _with_whole_style(component: Any, app_style: dict[Any, Any]) -> Component:
    """Returns the component, or a copy with the styles of its class and of the app."""
    of_class = component._add_style() if component._iter_parent_classes_with_method("add_style") else None
    of_app = component._get_component_style(app_style) if app_style else None
    if not of_class and not of_app:
        return component
    styled = copy(component)
    styled.style = Style({**(of_class or {}), **(of_app or {}), **component.style})
    return styled
