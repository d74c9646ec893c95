"""The first thing on a page: a claim, a sentence, what to do next, and the page's figure."""

from collections.abc import Sequence

import reflex as rx

from components.art.art import figure
from components.ui.button import opener
from components.words import ActionWords, PointWords


def hero(*, claim: str, lead: str, art: str, actions: Sequence[ActionWords], eyebrow: str = "") -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                *([rx.el.p(eyebrow, class_name="eyebrow")] if eyebrow else []),
                rx.el.h1(claim, class_name="text-4xl"),
                rx.el.p(lead, class_name="mt-6 text-xl text-ink-soft measure"),
                action_row(actions, class_name="mt-9"),
                class_name="hero-words",
            ),
            figure(art, class_name="hero-art"),
            class_name="wrap hero",
        ),
    )


def action_row(actions: Sequence[ActionWords], *, class_name: str = "", inverted: bool = False) -> rx.Component:
    """The first action strong, the others quiet."""
    strong, quiet = ("inverted", "inverted_quiet") if inverted else ("strong", "quiet")
    first, *others = actions
    return rx.el.div(
        opener(first, kind=strong),
        *[opener(action, kind=quiet) for action in others],
        class_name=f"flex flex-wrap gap-3 {class_name}",
    )


def facts(points: Sequence[PointWords]) -> rx.Component:
    """Plain facts on a line under the hero."""
    return rx.el.div(
        rx.el.dl(
            *[rx.el.div(rx.el.dt(point.title), rx.el.dd(point.text), class_name="fact") for point in points],
            class_name="wrap facts",
        ),
    )
