"""A few lines that say what a long text says, marked as no more than that."""

from collections.abc import Sequence

import reflex as rx


def summary(*, title: str, lines: Sequence[str], note: str) -> rx.Component:
    return rx.el.aside(
        rx.el.p(title, class_name="summary-title"),
        rx.el.ul(*[rx.el.li(line) for line in lines]),
        rx.el.p(note, class_name="summary-note"),
        aria_label=title,
        class_name="summary",
    )
