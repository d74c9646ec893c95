"""A second subject on a page: its figure first, then its claim, on the violet tint."""

import reflex as rx

from components.art.art import figure


def feature(*, anchor: str, eyebrow: str, claim: str, lead: str, art: str) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            figure(art, class_name="hero-art"),
            rx.el.div(
                rx.el.p(eyebrow, class_name="eyebrow"),
                rx.el.h2(claim, class_name="text-3xl"),
                rx.el.p(lead, class_name="mt-6 text-lg text-ink-soft measure"),
            ),
            class_name="wrap band feature",
        ),
        id=anchor,
        class_name="bg-primary-soft",
    )
