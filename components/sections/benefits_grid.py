"""What one gets: a few benefits with substance, two beside each other."""

from collections.abc import Sequence

import reflex as rx

from components.art.icon import icon
from components.ui.headline import headline
from components.words import PointWords


def benefits_grid(
    *, heading: str, lead: str, points: Sequence[PointWords], tinted: bool = True, anchor: str = ""
) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            headline(heading, lead=lead, anchor=anchor, class_name="split-side"),
            rx.el.ul(*[_benefit(point) for point in points], class_name="benefits"),
            class_name="wrap band split",
        ),
        class_name="bg-tint" if tinted else "",
    )


def _benefit(point: PointWords) -> rx.Component:
    return rx.el.li(
        icon(point.icon),
        rx.el.div(
            rx.el.h3(point.title, class_name="text-xl"),
            rx.el.p(point.text, class_name="mt-2 text-ink-soft"),
        ),
    )
