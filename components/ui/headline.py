"""The heading of a section, with a sentence below it."""

import reflex as rx


def headline(text: str, *, lead: str = "", anchor: str = "", class_name: str = "") -> rx.Component:
    return rx.el.div(
        rx.el.h2(text, id=anchor or None, class_name="text-3xl"),
        *([rx.el.p(lead, class_name="mt-5 text-lg text-ink-soft measure")] if lead else []),
        class_name=class_name,
    )
