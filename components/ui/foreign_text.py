"""Texts in another language than their page's, marked for screen readers, search engines and hyphenation."""

from collections.abc import Collection

import reflex as rx
from reflex_base.components.component import BaseComponent
from reflex_components_core.base.bare import Bare
from reflex_components_core.el.elements.base import BaseHTML


def mark_language(root: rx.Component, texts: Collection[str], tag: str) -> None:
    """Set `lang` on each element below `root` that holds one of these texts, and on no other text beside it."""
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
    """What an element without content says: an image's or a field's."""
    named = (getattr(component, name, None) for name in ("alt", "title", "placeholder"))
    return [_text(value) for value in (*named, *component.custom_attrs.values())]


def _text(value: object) -> str:
    text = getattr(value, "_var_value", value)
    return text if isinstance(text, str) else ""


def _is_mostly(text: str, texts: Collection[str]) -> bool:
    """Return True for one of the texts, also with a sign or a label beside it."""
    return any(part in text and 2 * len(part) >= len(text) for part in texts if part)
