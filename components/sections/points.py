"""Sections that list points: benefits, reasons, steps, short lists."""

import reflex as rx

from components.art.icons import icon
from components.sections.frame import section
from components.ui.button import action_row
from components.ui.text import headline, tick_list
from components.words import Point, PointList, PointLists, Section, Step


def benefits_grid(words: Section[Point], *, tinted: bool = True, anchor: str = "") -> rx.Component:
    """A list of benefits, one below the other, beside their heading."""
    return section(
        headline(words.heading, lead=words.lead, anchor=anchor, class_name="split-side"),
        rx.el.ul(*[_benefit(point) for point in words.items], class_name="benefits"),
        layout="split",
        ground="bg-tint" if tinted else "",
    )


def _benefit(point: Point) -> rx.Component:
    texts = (rx.el.h3(point.title, class_name="text-xl"), rx.el.p(point.text, class_name="mt-2 text-ink-soft"))
    return rx.el.li(icon(point.icon, class_name="mt-0.5 text-accent"), rx.el.div(*texts))


def reason_list(words: Section[Point], *, tinted: bool = True) -> rx.Component:
    """A list of reasons, the first two set large."""
    reasons = [rx.el.li(rx.el.h3(point.title), rx.el.p(point.text, class_name="text-ink-soft")) for point in words.items]
    return section(
        headline(words.heading, lead=words.lead), rx.el.ul(*reasons, class_name="reasons"), ground="bg-tint" if tinted else ""
    )


def numbered_steps(words: Section[Step], *, anchor: str = "") -> rx.Component:
    """Steps along a line, side by side on wide screens, else one below the other."""
    return section(
        headline(words.heading, lead=words.lead, anchor=anchor),
        rx.el.ol(*[_step(step) for step in words.items], class_name=f"steps steps-{len(words.items)}"),
    )


def _step(step: Step) -> rx.Component:
    return rx.el.li(
        rx.el.span(str(step.id), class_name="step-number", aria_hidden="true"),
        rx.el.div(rx.el.h3(step.title, class_name="mb-1.5 text-xl"), rx.el.p(step.text, class_name="text-ink-soft")),
    )


def point_lists(words: PointLists, *, anchor: str) -> rx.Component:
    """A few short lists, each with its own icon, and a call to action."""
    return section(
        headline(words.heading, lead=words.lead, anchor=anchor),
        rx.el.div(*[_list(point_list) for point_list in words.items], class_name="point-lists"),
        rx.el.div(
            rx.el.p(words.note, class_name="text-ink-soft measure"), action_row(words.actions), class_name="point-lists-end"
        ),
        ground="bg-primary-soft",
    )


def _list(point_list: PointList) -> rx.Component:
    points = tick_list(point_list.points, icon=point_list.icon, class_name="mt-4")
    return rx.el.div(rx.el.h3(point_list.title, class_name="text-xl"), points, class_name="card")
