"""Pieces of text: section heads, links to other pages, and tick lists."""

from collections.abc import Iterable, Sequence

import reflex as rx

from components.art.icons import icon as drawn
from components.words import ContactDetail


def headline(text: str, *, lead: str = "", anchor: str = "", class_name: str = "") -> rx.Component:
    return rx.el.div(
        rx.el.h2(text, id=anchor or None, class_name="text-3xl"),
        *([rx.el.p(lead, class_name="mt-5 text-lg text-ink-soft measure")] if lead else []),
        class_name=class_name,
    )


def onward(text: str, href: str, *, class_name: str = "") -> rx.Component:
    return rx.el.p(rx.el.elements.a(text, drawn("arrow-right"), href=href, class_name="onward"), class_name=class_name)


def tick_list(points: Iterable[str], *, icon: str = "check", class_name: str = "") -> rx.Component:
    items = [rx.el.li(drawn(icon, size=20), rx.el.span(point)) for point in points]
    return rx.el.ul(*items, class_name=f"ticks {class_name}".strip())


def direct_ways(details: Sequence[ContactDetail], *, lead: str) -> rx.Component:
    return rx.el.div(
        rx.el.p(lead, class_name="text-ink-soft"),
        rx.el.ul(*[rx.el.li(_way(way)) for way in details], class_name="mt-4 grid gap-2"),
    )


def _way(way: ContactDetail) -> rx.Component:
    return rx.el.elements.a(
        drawn(way.icon),
        rx.el.span(way.label, class_name="sr-only"),
        rx.el.span(" ".join(way.values)),
        href=way.href,
        class_name="menu-link font-semibold gap-3 -mx-3",
    )
