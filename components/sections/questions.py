"""Questions that open to their answers without a script; those of one group close each other."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from components.art.icon import icon
from components.sections.section import section
from components.ui.text import onward

Questions = Sequence[tuple[str, str, Sequence[rx.Component]]]  # slug, question, and the answer already built


def question_list(*, group: str, questions: Questions) -> rx.Component:
    return rx.el.div(*[_question(group, *one) for one in questions], class_name="questions")


def _question(group: str, slug: str, question: str, answer: Sequence[rx.Component]) -> rx.Component:
    return rx.el.details(
        rx.el.summary(rx.el.h3(question), icon("plus")),
        rx.el.div(*answer, class_name="answer prose"),
        id=slug,
        custom_attrs={"name": group},
    )


def answer_list(items: Sequence[Any], *, ordered: bool) -> rx.Component:
    """Entries with a title of their own, or without one."""
    entries = [rx.el.li(*([rx.el.strong(item.title, class_name="block")] if item.title else []), item.text) for item in items]
    return (rx.el.ol if ordered else rx.el.ul)(*entries)


def question_section(*, heading: str, more: str, href: str, group: str, questions: Questions) -> rx.Component:
    """A few questions on another page than the FAQ, and the way to the rest."""
    return section(
        rx.el.div(rx.el.h2(heading, class_name="text-3xl"), onward(more, href, class_name="mt-5"), class_name="split-side"),
        question_list(group=group, questions=questions),
        layout="split",
        ground="border-t border-line",
    )
