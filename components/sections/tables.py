"""Tables: a few things compared, a worked example in figures, tools by category."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import reflex as rx

from components.sections.section import section
from components.ui.text import headline, tick_list
from components.words import NamedWords, RowWords


class TechnologyWords(Protocol):
    @property
    def name(self) -> str: ...


class CategoryWords(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def technologies(self) -> Sequence[TechnologyWords]: ...


def comparison_table(
    *,
    heading: str,
    lead: str,
    caption: str,
    columns: Sequence[NamedWords],
    benefits: tuple[str, Sequence[Sequence[str]]],
    rows: Sequence[RowWords],
    anchor: str = "",
) -> rx.Component:
    """On a narrow screen each row becomes a small list.

    `benefits` are the label of the first row and, for each column, the points that speak for it.
    """
    label, points = benefits
    return section(
        headline(heading, lead=lead, anchor=anchor),
        rx.el.table(
            rx.el.caption(caption, class_name="sr-only"),
            rx.el.thead(_head(columns), role="rowgroup"),
            rx.el.tbody(
                _row(label, map(tick_list, points), columns, class_name="comparison-benefits"),
                *[_row(row.label, row.values, columns) for row in rows],
                role="rowgroup",
            ),
            role="table",  # display: block on a narrow screen would take the table's meaning away
            class_name="comparison",
        ),
        ground="bg-tint",
    )


def _head(columns: Sequence[NamedWords]) -> rx.Component:
    cells = [
        rx.el.th(
            rx.el.span(column.name, class_name="comparison-name"),
            rx.el.span(column.description, class_name="comparison-text"),
            scope="col",
            role="columnheader",
        )
        for column in columns
    ]
    return rx.el.tr(rx.el.td(role="cell"), *cells, role="row")


def _row(
    label: str, values: Iterable[str | rx.Component], columns: Sequence[NamedWords], *, class_name: str = ""
) -> rx.Component:
    cells = [
        rx.el.td(value, role="cell", custom_attrs={"data-column": column.name})
        for value, column in zip(values, columns, strict=True)
    ]
    return rx.el.tr(rx.el.th(label, scope="row", role="rowheader"), *cells, role="row", class_name=class_name or None)


def sum_table(
    *, heading: str, lead: str, heads: Sequence[str], rows: Sequence[tuple[str, str, str]], note: str
) -> rx.Component:
    """`rows` are what is counted, what is paid and what is earned."""
    sums = [rx.el.tr(rx.el.th(label, scope="row"), rx.el.td(payment), rx.el.td(earned)) for label, payment, earned in rows]
    table = rx.el.table(
        rx.el.caption(heading, class_name="sr-only"),
        rx.el.thead(rx.el.tr(*[rx.el.th(head, scope="col") for head in heads])),
        rx.el.tbody(*sums),
        class_name="sums",
    )
    return section(
        headline(heading, lead=lead, class_name="split-side"),
        rx.el.div(table, rx.el.p(note, class_name="mt-5 text-sm text-ink-soft")),
        layout="split",
        ground="bg-tint",
    )


def technology_table(*, heading: str, lead: str, categories: Sequence[CategoryWords]) -> rx.Component:
    """The tools, as text."""
    columns = [
        rx.el.div(rx.el.dt(category.name), *[rx.el.dd(tool.name) for tool in category.technologies]) for category in categories
    ]
    return section(headline(heading, lead=lead), rx.el.dl(*columns, class_name="technologies"))
