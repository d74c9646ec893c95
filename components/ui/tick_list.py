"""Short points, each with a tick or another sign before it."""

from collections.abc import Iterable

import reflex as rx

from components.art.icon import icon as drawn


def tick_list(points: Iterable[str], *, icon: str = "check", class_name: str = "") -> rx.Component:
    items = [rx.el.li(drawn(icon, size=20), rx.el.span(point)) for point in points]
    return rx.el.ul(*items, class_name=f"ticks {class_name}".strip())
