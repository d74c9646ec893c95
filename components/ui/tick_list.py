"""Short points, each with a tick before it."""

from collections.abc import Iterable

import reflex as rx

from components.art.icon import icon


def tick_list(points: Iterable[str], *, class_name: str = "") -> rx.Component:
    items = [rx.el.li(icon("check", size=20), rx.el.span(point)) for point in points]
    return rx.el.ul(*items, class_name=f"ticks {class_name}".strip())
