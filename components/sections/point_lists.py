"""A few short lists beside each other, each with a sign of its own, and what to do next."""

from collections.abc import Sequence
from typing import Protocol

import reflex as rx

from components.sections.hero import action_row
from components.ui.headline import headline
from components.ui.tick_list import tick_list
from components.words import ActionWords


class PointListWords(Protocol):
    @property
    def icon(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def points(self) -> Sequence[str]: ...


def point_lists(
    *, heading: str, lead: str, lists: Sequence[PointListWords], note: str, actions: Sequence[ActionWords], anchor: str
) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            headline(heading, lead=lead, anchor=anchor),
            rx.el.div(*[_list(one) for one in lists], class_name="point-lists"),
            rx.el.div(rx.el.p(note, class_name="text-ink-soft measure"), action_row(actions), class_name="point-lists-end"),
            class_name="wrap band",
        ),
        class_name="bg-primary-soft",
    )


def _list(one: PointListWords) -> rx.Component:
    return rx.el.div(
        rx.el.h3(one.title, class_name="text-xl"), tick_list(one.points, icon=one.icon, class_name="mt-4"), class_name="card"
    )
