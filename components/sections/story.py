"""A short text told in paragraphs, its first sentence set large."""

from collections.abc import Sequence

import reflex as rx


def story(*, heading: str, lead: str, paragraphs: Sequence[str]) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2(heading, class_name="text-xl split-side"),
            rx.el.div(
                rx.el.p(lead, class_name="story-lead"),
                rx.el.div(*[rx.el.p(paragraph) for paragraph in paragraphs], class_name="prose measure mt-8 text-lg"),
            ),
            class_name="wrap band split",
        ),
        class_name="border-t border-line",
    )
