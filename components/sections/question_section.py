"""A few questions on another page than the FAQ, and the way to the rest."""

from collections.abc import Sequence

import reflex as rx

from components.art.icon import icon
from components.sections.question_list import QuestionWords, question_list


def question_section(
    *, heading: str, more: str, href: str, group: str, questions: Sequence[tuple[QuestionWords, Sequence[rx.Component]]]
) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2(heading, class_name="text-3xl"),
                rx.el.p(rx.el.elements.a(more, icon("arrow-right"), href=href, class_name="onward"), class_name="prose mt-5"),
                class_name="split-side",
            ),
            question_list(group=group, questions=questions),
            class_name="wrap band split",
        ),
        class_name="border-t border-line",
    )
