"""A section about one second subject, with its figure."""

import reflex as rx

from components.art.art import figure
from components.sections.frame import section
from components.ui.text import onward
from components.words import Feature


def feature(words: Feature, *, anchor: str = "", class_name: str = "", picture: rx.Component | None = None) -> rx.Component:
    """`picture` stands at the right of the words, or below them."""
    marked = [rx.el.span(words.label, class_name="sample")] if words.label else []
    return section(
        *([figure(words.illustration, class_name="hero-art")] if words.illustration else []),
        rx.el.div(
            rx.el.p(words.eyebrow, *marked, class_name="eyebrow"),
            rx.el.h2(words.headline, class_name="text-3xl"),
            rx.el.p(words.lead, class_name="mt-6 text-lg text-ink-soft measure"),
            *([rx.el.dl(*[_fact(*fact) for fact in words.facts], class_name="feature-facts mt-8")] if words.facts else []),
            *[onward(fact.text, fact.href, class_name="mt-5") for fact in words.links],
        ),
        *([picture] if picture else []),
        layout="feature",
        ground=f"bg-primary-soft {class_name}".strip(),
        anchor=anchor,
    )


def _fact(label: str, value: str) -> rx.Component:
    return rx.el.div(rx.el.dt(label, class_name="text-ink-soft"), rx.el.dd(value))
