"""`lang` for texts in another language than their page's."""

from collections.abc import Collection

import reflex as rx
from reflex_base.components.component import BaseComponent
from reflex_components_core.base.bare import Bare
from reflex_components_core.el.elements.base import BaseHTML


def mark_language(root: rx.Component, texts: Collection[str], tag: str) -> None:
    """Sets `lang` on each element below `root` that contains only one of these texts; wraps the text in a span if it has siblings."""
    if texts:
        _mark(root, texts, tag)


def _mark(component: BaseComponent, texts: Collection[str], tag: str) -> None:
    element = component if isinstance(component, BaseHTML) else None
    for position, child in enumerate(component.children):
        if not isinstance(child, Bare):
            _mark(child, texts, tag)
        elif not _is_mostly(_text(child.contents), texts):
            continue
        elif element and len(component.children) == 1:
            element.custom_attrs = {**element.custom_attrs, "lang": tag}
        else:
            component.children[position] = rx.el.span(child, lang=tag)
    if element and not element.children and any(_is_mostly(text, texts) for text in _attributes(element)):
        element.custom_attrs = {**element.custom_attrs, "lang": tag}


def _attributes(component: BaseHTML) -> list[str]:
    """Returns the texts in the attributes of an element without content, such as an image or a field."""
    values = (getattr(component, name, None) for name in ("alt", "title", "placeholder"))
    return [_text(value) for value in (*values, *component.custom_attrs.values())]


def _text(value: object) -> str:
    text = getattr(value, "_var_value", value)
    return text if isinstance(text, str) else ""


def _is_mostly(text: str, texts: Collection[str]) -> bool:
    """Returns True if one of the texts is at least half of `text`, so that a symbol or a label may accompany it."""
    return any(part in text and 2 * len(part) >= len(text) for part in texts if part)
