"""The tools, by category, as text."""

from collections.abc import Sequence
from typing import Protocol

import reflex as rx

from components.ui.headline import headline


class TechnologyWords(Protocol):
    @property
    def name(self) -> str: ...


class CategoryWords(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def technologies(self) -> Sequence[TechnologyWords]: ...


def technology_table(*, heading: str, lead: str, categories: Sequence[CategoryWords]) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            headline(heading, lead=lead),
            rx.el.dl(*[_category(category) for category in categories], class_name="technologies"),
            class_name="wrap band",
        ),
    )


def _category(category: CategoryWords) -> rx.Component:
    tools = [rx.el.dd(tool.name) for tool in category.technologies]
    return rx.el.div(rx.el.dt(category.name), *tools)
