"""Writes the HTML of parts without handlers in Python, as the build's React would: for previews, which cannot wait for a build."""

from html import escape
from typing import Any

import reflex as rx
from reflex.vars.base import Var
from reflex_components_core.base.bare import Bare

_VOID = frozenset(("area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))
_HTML = "dangerouslySetInnerHTML"


def html_of(*components: rx.Component) -> str:
    """Returns the HTML of parts that are plain elements; raises ValueError for a part with a handler or a value known only in a browser."""
    return "".join(map(_html, components))


def _html(component: Any) -> str:
    if isinstance(component, Bare):
        return escape(_text(component.contents), quote=False)
    children = "".join(map(_html, component.children))
    tag = component.tag
    if tag == "Fragment":
        return children
    if component.event_triggers or not isinstance(tag, str) or not tag.islower():
        raise ValueError(f"{type(component).__name__} is no plain element")
    attributes = _attributes(component)
    inner = attributes.pop(_HTML, None)
    attributes_text = "".join(f' {name}="{escape(value)}"' for name, value in sorted(attributes.items()))
    start = f"<{tag}{attributes_text}>"
    return start if tag in _VOID else f"{start}{children if inner is None else inner}</{tag}>"


def _attributes(component: Any) -> dict[str, str]:
    values: dict[str, Any] = {name: getattr(component, name, None) for name in component.get_props()}
    values |= {"class": component.class_name, "id": component.id, **component.custom_attrs}
    attributes = {}
    for name, value in values.items():
        plain = _plain(value)
        if name == _HTML:
            attributes[_HTML] = _text(plain["__html"])
        elif plain is not None and plain is not False and plain != "":  # a 0 counts, as for React
            attributes[_name(name)] = "" if plain is True else _text(plain)
    return attributes


def _name(name: str) -> str:
    """Returns the name in HTML of a name in Python (src_set, aria_label) or in React (fetchPriority)."""
    return name.replace("_", "-") if name.startswith(("aria_", "data_")) else name.replace("_", "").lower()


def _text(value: Any) -> str:
    plain = _plain(value)
    if isinstance(plain, Var):
        raise ValueError(f"{plain} is known only in a browser")
    return str(plain)


def _plain(value: Any) -> Any:
    """Returns the value of a literal, and other values unchanged."""
    return getattr(value, "_var_value", value)
