"""A real table that compares a few things; on a narrow screen each row becomes a small list."""

from collections.abc import Sequence

import reflex as rx

from components.ui.headline import headline
from components.ui.tick_list import tick_list
from components.words import NamedWords, RowWords


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
    """`benefits` are the label of the first row and, for each column, the points that speak for it."""
    return rx.el.section(
        rx.el.div(
            headline(heading, lead=lead, anchor=anchor),
            rx.el.table(
                rx.el.caption(caption, class_name="sr-only"),
                rx.el.thead(_head(columns), role="rowgroup"),
                rx.el.tbody(_benefits(*benefits, columns), *[_row(row, columns) for row in rows], role="rowgroup"),
                role="table",  # display: block on a narrow screen would take the table's meaning away
                class_name="comparison",
            ),
            class_name="wrap band",
        ),
        class_name="bg-tint",
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


def _benefits(label: str, points: Sequence[Sequence[str]], columns: Sequence[NamedWords]) -> rx.Component:
    cells = [
        rx.el.td(tick_list(of_column), role="cell", custom_attrs={"data-column": column.name})
        for of_column, column in zip(points, columns, strict=True)
    ]
    return rx.el.tr(rx.el.th(label, scope="row", role="rowheader"), *cells, role="row", class_name="comparison-benefits")


def _row(row: RowWords, columns: Sequence[NamedWords]) -> rx.Component:
    cells = [
        rx.el.td(value, role="cell", custom_attrs={"data-column": column.name})
        for value, column in zip(row.values, columns, strict=True)
    ]
    return rx.el.tr(rx.el.th(row.label, scope="row", role="rowheader"), *cells, role="row")
