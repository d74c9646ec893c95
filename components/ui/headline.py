"""The heading of a section, with a sentence below it."""

import reflex as rx


def headline(text: str, *, lead: str = "", anchor: str = "", class_name: str = "") -> rx.Component:
    parts = [rx.el.h2(text, class_name="text-3xl", **({"id": anchor} if anchor else {}))]
    if lead:
        parts.append(rx.el.p(lead, class_name="mt-5 text-lg text-ink-soft measure"))
    return rx.el.div(*parts, class_name=class_name)
