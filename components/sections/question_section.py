"""A few questions on another page than the FAQ, and the way to the rest."""

from collections.abc import Sequence

import reflex as rx

from components.sections.question_list import QuestionWords, question_list
from components.ui.onward import onward


def question_section(
    *, heading: str, more: str, href: str, group: str, questions: Sequence[tuple[QuestionWords, Sequence[rx.Component]]]
) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2(heading, class_name="text-3xl"),
                onward(more, href, class_name="mt-5"),
                class_name="split-side",
            ),
            question_list(group=group, questions=questions),
            class_name="wrap band split",
        ),
        class_name="border-t border-line",
    )
