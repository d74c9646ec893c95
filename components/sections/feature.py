"""A second subject on a page: its figure first, then its claim, on the violet tint."""

from collections.abc import Sequence

import reflex as rx

from components.art.art import figure
from components.sections.section import section
from components.ui.text import onward
from components.words import LinkWords


def feature(
    *,
    eyebrow: str,
    claim: str,
    lead: str,
    art: str,
    anchor: str = "",
    label: str = "",
    facts: Sequence[tuple[str, str]] = (),
    links: Sequence[LinkWords] = (),
    class_name: str = "",
) -> rx.Component:
    """`label` says what it is where it is invented; `facts` are pairs of label and value."""
    marked = [rx.el.span(label, class_name="sample")] if label else []
    return section(
        figure(art, class_name="hero-art"),
        rx.el.div(
            rx.el.p(eyebrow, *marked, class_name="eyebrow"),
            rx.el.h2(claim, class_name="text-3xl"),
            rx.el.p(lead, class_name="mt-6 text-lg text-ink-soft measure"),
            *([rx.el.dl(*[_fact(*one) for one in facts], class_name="feature-facts mt-8")] if facts else []),
            *[onward(one.text, one.href, class_name="mt-5") for one in links],
        ),
        layout="feature",
        ground=f"bg-primary-soft {class_name}".strip(),
        anchor=anchor,
    )


def _fact(label: str, value: str) -> rx.Component:
    return rx.el.div(rx.el.dt(label), rx.el.dd(value))
