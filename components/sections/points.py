"""Points worth saying, as lists: benefits, reasons, steps along a line, short lists beside each other."""

from collections.abc import Sequence
from typing import Protocol

import reflex as rx

from components.art.icon import icon
from components.sections.section import section
from components.ui.button import action_row
from components.ui.text import headline, tick_list
from components.words import ActionWords, PointWords, StepWords


class PointListWords(Protocol):
    @property
    def icon(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def points(self) -> Sequence[str]: ...


def benefits_grid(
    *, heading: str, lead: str, points: Sequence[PointWords], tinted: bool = True, anchor: str = ""
) -> rx.Component:
    """What one gets: a few benefits with substance, below each other beside their heading."""
    return section(
        headline(heading, lead=lead, anchor=anchor, class_name="split-side"),
        rx.el.ul(*[_benefit(point) for point in points], class_name="benefits"),
        layout="split",
        ground="bg-tint" if tinted else "",
    )


def _benefit(point: PointWords) -> rx.Component:
    words = (rx.el.h3(point.title, class_name="text-xl"), rx.el.p(point.text, class_name="mt-2 text-ink-soft"))
    return rx.el.li(icon(point.icon, class_name="mt-0.5 text-accent"), rx.el.div(*words))


def reason_list(*, heading: str, lead: str, points: Sequence[PointWords], tinted: bool = True) -> rx.Component:
    """Reasons, the first two of them set large."""
    reasons = [rx.el.li(rx.el.h3(point.title), rx.el.p(point.text, class_name="text-ink-soft")) for point in points]
    return section(headline(heading, lead=lead), rx.el.ul(*reasons, class_name="reasons"), ground="bg-tint" if tinted else "")


def numbered_steps(*, heading: str, lead: str, steps: Sequence[StepWords], anchor: str = "") -> rx.Component:
    """Steps along a line: beside each other where there is room, below each other where there is not."""
    return section(
        headline(heading, lead=lead, anchor=anchor),
        rx.el.ol(*[_step(step) for step in steps], class_name=f"steps steps-{len(steps)}"),
    )


def _step(step: StepWords) -> rx.Component:
    return rx.el.li(
        rx.el.span(str(step.id), class_name="step-number", aria_hidden="true"),
        rx.el.div(rx.el.h3(step.title, class_name="mb-1.5 text-xl"), rx.el.p(step.text, class_name="text-ink-soft")),
    )


def point_lists(
    *, heading: str, lead: str, lists: Sequence[PointListWords], note: str, actions: Sequence[ActionWords], anchor: str
) -> rx.Component:
    """A few short lists, each with a sign of its own, and what to do next."""
    return section(
        headline(heading, lead=lead, anchor=anchor),
        rx.el.div(*[_list(one) for one in lists], class_name="point-lists"),
        rx.el.div(rx.el.p(note, class_name="text-ink-soft measure"), action_row(actions), class_name="point-lists-end"),
        ground="bg-primary-soft",
    )


def _list(one: PointListWords) -> rx.Component:
    points = tick_list(one.points, icon=one.icon, class_name="mt-4")
    return rx.el.div(rx.el.h3(one.title, class_name="text-xl"), points, class_name="card")
