"""Steps along a line: beside each other where there is room, below each other where there is not."""

from collections.abc import Sequence

import reflex as rx

from components.ui.headline import headline
from components.words import StepWords


def numbered_steps(*, heading: str, lead: str, steps: Sequence[StepWords], anchor: str = "") -> rx.Component:
    return rx.el.section(
        rx.el.div(
            headline(heading, lead=lead, anchor=anchor),
            rx.el.ol(*[_step(step) for step in steps], class_name=f"steps steps-{len(steps)}"),
            class_name="wrap band",
        ),
    )


def _step(step: StepWords) -> rx.Component:
    return rx.el.li(
        rx.el.span(str(step.id), class_name="step-number", aria_hidden="true"),
        rx.el.div(rx.el.h3(step.title), rx.el.p(step.text, class_name="text-ink-soft")),
    )
