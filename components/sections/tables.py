"""Tables: a comparison, a worked example in figures, tools by category, durations beside the engagement model that fits."""

from collections.abc import Iterable, Sequence

import reflex as rx

from components.art.icons import icon
from components.ui.text import headline, section, tick_list
from components.words import ComparisonRow, Example, Phase, Section, TechnologyCategory


def comparison_table(
    *,
    heading: str,
    lead: str,
    columns: Sequence[tuple[str, str]],
    benefits: tuple[str, Sequence[Sequence[str]]],
    rows: Sequence[ComparisonRow],
    anchor: str,
    headline_row: str,
    terms: str,
) -> rx.Component:
    """A table where there is room; on a narrow screen a card for each column.

    `columns` are the name and the description of each; `benefits` are the label of the first row and, for each column, the points that
    speak for it. A card shows the value of the row `headline_row`; the points and the other rows open under `terms`.
    """
    label, points = benefits
    cards = [
        _card(column, points[index], rows, index=index, headline_row=headline_row, terms=terms)
        for index, column in enumerate(columns)
    ]
    return section(
        headline(heading, lead=lead, anchor=anchor),
        rx.el.table(
            rx.el.caption(heading, class_name="sr-only"),
            rx.el.thead(_head(columns)),
            rx.el.tbody(
                _row(label, [tick_list(column) for column in points], class_name="comparison-benefits"),
                *[_row(row.label, row.values) for row in rows],
            ),
            class_name="comparison",
        ),
        rx.el.div(*cards, class_name="comparison-cards"),
        ground="bg-tint",
    )


def _head(columns: Sequence[tuple[str, str]]) -> rx.Component:
    cells = [
        rx.el.th(
            rx.el.span(name, class_name="comparison-name"), rx.el.span(description, class_name="comparison-text"), scope="col"
        )
        for name, description in columns
    ]
    return rx.el.tr(rx.el.td(), *cells)


def _row(label: str, values: Iterable[str | rx.Component], *, class_name: str = "") -> rx.Component:
    return rx.el.tr(rx.el.th(label, scope="row"), *[rx.el.td(value) for value in values], class_name=class_name or None)


def _card(
    column: tuple[str, str], points: Sequence[str], rows: Sequence[ComparisonRow], *, index: int, headline_row: str, terms: str
) -> rx.Component:
    name, description = column
    values = {row.slug: row.values[index] for row in rows}
    lines = [rx.el.div(rx.el.dt(row.label), rx.el.dd(values[row.slug])) for row in rows if row.slug != headline_row]
    return rx.el.div(
        rx.el.h3(name, class_name="text-xl"),
        rx.el.p(values[headline_row], class_name="font-semibold text-accent"),
        rx.el.details(
            rx.el.summary(terms, icon("plus")),
            rx.el.p(description, class_name="text-sm text-ink-soft"),
            tick_list(points, class_name="mt-3 text-sm"),
            rx.el.dl(*lines, class_name="comparison-terms"),
            custom_attrs={"name": headline_row},
        ),
        class_name="card",
    )


def sum_table(words: Example) -> rx.Component:
    sums = [rx.el.tr(rx.el.th(row.label, scope="row"), rx.el.td(row.payment), rx.el.td(row.commission)) for row in words.items]
    table = rx.el.table(
        rx.el.caption(words.heading, class_name="sr-only"),
        rx.el.thead(rx.el.tr(*[rx.el.th(head, scope="col") for head in words.heads])),
        rx.el.tbody(*sums),
        class_name="sums",
    )
    return section(
        headline(words.heading, lead=words.lead, class_name="split-side"),
        rx.el.div(table, rx.el.p(words.note, class_name="mt-5 text-sm text-ink-soft")),
        layout="split",
        ground="bg-tint",
    )


def technology_table(words: Section[TechnologyCategory]) -> rx.Component:
    """The technologies by category, as text."""
    columns = [
        rx.el.div(rx.el.dt(category.name), *[rx.el.dd(tool.name) for tool in category.technologies]) for category in words.items
    ]
    return section(headline(words.heading, lead=words.lead), rx.el.dl(*columns, class_name="technologies"))


def time_and_model(
    timeline: Section[Phase],
    *,
    model: str,
    fit_heading: str,
    fit_text: str,
    benefits: Sequence[str],
    facts: Sequence[tuple[str, str]],
) -> rx.Component:
    """The timeline beside the engagement model that fits; `facts` are pairs of label and value about the model."""
    return section(
        rx.el.div(
            headline(timeline.heading, lead=timeline.lead),
            rx.el.dl(*[_phase(phase) for phase in timeline.items], class_name="phases mt-10"),
        ),
        rx.el.div(
            rx.el.p(model, class_name="eyebrow"),
            rx.el.h3(fit_heading, class_name="text-2xl"),
            rx.el.p(fit_text, class_name="mt-4 text-ink-soft"),
            tick_list(benefits, class_name="mt-6"),
            rx.el.dl(*[_fact(label, value) for label, value in facts], class_name="model-facts"),
            class_name="model-fit card",
        ),
        layout="time-and-model",
        ground="bg-tint",
    )


def _phase(phase: Phase) -> rx.Component:
    return rx.el.div(rx.el.dt(phase.span), rx.el.dd(phase.text, class_name="text-ink-soft"))


def _fact(label: str, value: str) -> rx.Component:
    return rx.el.div(rx.el.dt(label), rx.el.dd(value), class_name="py-2.5 border-t border-line")
