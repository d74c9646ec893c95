"""The frame of a section and the texts in it: heads, links to other pages, tick lists, and `lang` for another language."""

from collections.abc import Collection, Iterable, Sequence

import reflex as rx
from reflex_base.components.component import BaseComponent
from reflex_components_core.base.bare import Bare
from reflex_components_core.el.elements.base import BaseHTML

from components.art.icons import icon as drawn
from components.records import ContactDetail

MAX_UNBROKEN_LENGTH = 20  # characters of a name or a value; a longer one may continue on a second line


def unbroken_name(name: str) -> str:
    """Returns a short name without line breaks; a long one would not fit beside its label on a phone."""
    return name.replace(" ", "\u00a0") if len(name) <= MAX_UNBROKEN_LENGTH else name


def section(*inside: rx.Component, layout: str = "", ground: str = "", anchor: str = "") -> rx.Component:
    """A section as wide as the page. `layout` are classes of the box between its margins, `ground` those of the section itself."""
    box = rx.el.div(*inside, class_name=f"wrap band {layout}".strip())
    return rx.el.section(box, id=anchor or None, class_name=ground or None)


def headline(text: str, *, intro: str = "", anchor: str = "", label: str = "", class_name: str = "") -> rx.Component:
    """The heading of a section with a sentence below it. `label` marks all that is in the section as samples."""
    mark = [rx.el.span(label, class_name="sample")] if label else []
    return rx.el.div(
        rx.el.h2(text, *mark, id=anchor or None, class_name="text-3xl"),
        *([rx.el.p(intro, class_name="mt-4 text-lg text-ink-soft measure")] if intro else []),
        class_name=class_name,
    )


def onward(text: str, href: str, *, class_name: str = "", arrow: bool = True) -> rx.Component:
    arrow_icon = [drawn("arrow-right")] if arrow else []
    return rx.el.p(rx.el.elements.a(text, *arrow_icon, href=href, class_name="onward"), class_name=class_name or None)


def fold(title: str) -> rx.Component:
    """A line that shows and hides the element after it on narrow screens; both are inside an element of the class `folding`."""
    return rx.el.details(rx.el.summary(title, drawn("chevron-down")))


def tick_list(points: Iterable[str], *, icon: str = "check", class_name: str = "") -> rx.Component:
    items = [rx.el.li(drawn(icon, size=20), rx.el.span(point)) for point in points]
    return rx.el.ul(*items, class_name=f"ticks {class_name}".strip())


def direct_ways(details: Sequence[ContactDetail], *, intro: str) -> rx.Component:
    return rx.el.div(
        rx.el.p(intro, class_name="text-ink-soft"),
        way_list(details, class_name="mt-4 grid gap-2"),
    )


def way_list(details: Sequence[ContactDetail], *, class_name: str) -> rx.Component:
    return rx.el.ul(*[rx.el.li(_way(way)) for way in details], class_name=class_name)


def breakable(value: str) -> list[rx.Component | str]:
    """Returns the parts of a value, which may continue on a second line only after the @ of an email address."""
    name, at, domain = value.partition("@")
    return [f"{name}@", rx.el.wbr(), domain] if at else [value]


def _way(way: ContactDetail) -> rx.Component:
    return rx.el.elements.a(
        drawn(way.icon),
        rx.el.span(way.label, class_name="sr-only"),
        rx.el.span(*breakable(" ".join(way.values))),
        href=way.href,
        class_name="menu-link font-semibold gap-[min(0.75rem,3vw)] -mx-3",
    )


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
