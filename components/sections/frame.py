"""The frame of a section: its ground from edge to edge, and the box between the margins."""

import reflex as rx


def section(*inside: rx.Component, layout: str = "", ground: str = "", anchor: str = "") -> rx.Component:
    """`layout` are further classes of the box between the margins, `ground` those of the section from edge to edge."""
    box = rx.el.div(*inside, class_name=f"wrap band {layout}".strip())
    return rx.el.section(box, id=anchor or None, class_name=ground or None)
