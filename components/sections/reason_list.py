"""Reasons, the first of them set large."""

from collections.abc import Sequence

import reflex as rx

from components.words import PointWords


def reason_list(*, heading: str, lead: str, points: Sequence[PointWords], tinted: bool = True) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2(heading, class_name="text-3xl"),
            rx.el.p(lead, class_name="mt-5 text-lg text-ink-soft measure"),
            rx.el.ul(*[_reason(point) for point in points], class_name="reasons"),
            class_name="wrap band",
        ),
        class_name="bg-tint" if tinted else "",
    )


def _reason(point: PointWords) -> rx.Component:
    return rx.el.li(
        rx.el.h3(point.title),
        rx.el.p(point.text, class_name="text-ink-soft"),
    )
