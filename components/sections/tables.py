"""Sections with documents and tables.

Documents are drawn as sheets of paper: a whole sample document, a weekly report, a table of results. Tables show prices, the sums of a
worked example, technologies by category, and the phases of a project.
"""

from collections.abc import Sequence

import reflex as rx

from components.records import (
    Budget,
    Budgets,
    Comparison,
    Example,
    Feature,
    Link,
    Phase,
    Point,
    Progress,
    ReportSheet,
    ResultSheet,
    Section,
    TechnologyCategory,
)
from components.ui.button import opener
from components.ui.text import MAX_UNBROKEN_LENGTH, fold, headline, onward, section, tick_list, unbroken_name


def paper(
    *,
    head: str,
    label: str,
    sheets: Sequence[tuple[str, str | None, Sequence[rx.Component], str]],
    link: Link,
    reading: Section[Point] | None = None,
) -> rx.Component:
    """A document as sheets of paper side by side; when the page is printed, each sheet begins a new page.

    `sheets` are tuples of heading, verdict or None, content and foot; `head` and `label` are at the top of each. `reading` says beside a
    single sheet how to read it.
    """
    return rx.el.div(
        rx.el.div(
            *[_sheet(head, label, *sheet) for sheet in sheets],
            *([_reading(reading)] if reading else []),
            class_name="wrap papers papers-read" if reading else f"wrap papers papers-{min(len(sheets), 2)}",
        ),
        onward(link.text, link.href, class_name="wrap desk-link mt-10"),
        class_name="bg-tint desk",
    )


def _reading(words: Section[Point]) -> rx.Component:
    points = [rx.el.li(rx.el.h3(point.title), rx.el.p(point.text, class_name="text-ink-soft")) for point in words.items]
    return rx.el.aside(
        rx.el.h2(words.heading, class_name="text-xl"),
        rx.el.p(words.intro, class_name="mt-2 mb-6 text-ink-soft"),
        rx.el.ul(*points, class_name="short-steps"),
        class_name="reading text-sm",
    )


def _sheet(
    head: str, label: str, heading: str, verdict: str | None, content: Sequence[rx.Component], foot: str
) -> rx.Component:
    title = rx.el.h2(heading, class_name="text-2xl")
    return rx.el.section(
        rx.el.div(rx.el.span(head), rx.el.span(label, class_name="sample"), class_name="sheet-head"),
        rx.el.div(title, *([rx.el.p(verdict, class_name="chip chip-done")] if verdict else []), class_name="sheet-title"),
        rx.el.div(*content, class_name="prose"),
        rx.el.p(foot, class_name="sheet-foot"),
        class_name="sheet",
    )


def report_sheet(words: ReportSheet) -> rx.Component:
    """A weekly report: what is done, what is next and what is at risk, each with a coloured label, and progress bars."""
    return rx.el.figure(
        rx.el.figcaption(rx.el.span(words.head), rx.el.span(words.label, class_name="sample"), class_name="sheet-head"),
        rx.el.p(words.title, class_name="report-title"),
        rx.el.dl(*[_status(*status) for status in words.statuses], class_name="report-statuses"),
        rx.el.div(*[_progress(progress) for progress in words.progress], class_name="report-progress"),
        onward(words.link.text, words.link.href, class_name="mt-5"),
        class_name="sheet report",
    )


def _status(kind: str, label: str, text: str) -> rx.Component:
    return rx.el.div(rx.el.dt(label, class_name=f"chip chip-{kind}"), rx.el.dd(text))


def report_parts(parts: Sequence[tuple[str, str, Sequence[rx.Component]]], progress: Sequence[Progress]) -> list[rx.Component]:
    """The same bars and labels inside a whole report. `parts` are triples of kind, heading and content."""
    rows = [
        rx.el.div(rx.el.h3(heading, class_name=f"chip chip-{kind}"), rx.el.div(*content, class_name="prose"))
        for kind, heading, content in parts
    ]
    bars = [_progress(bar) for bar in progress]
    return [rx.el.div(*bars, class_name="report-progress"), rx.el.div(*rows, class_name="report-statuses report-parts")]


def result_sheet(words: ResultSheet) -> rx.Component:
    """A table of results, each with its verdict as a coloured label."""
    return rx.el.figure(
        rx.el.figcaption(rx.el.span(words.head), rx.el.span(words.label, class_name="sample"), class_name="sheet-head"),
        rx.el.p(words.title, class_name="report-title"),
        rx.el.table(rx.el.tbody(*[_result(*row) for row in words.rows]), role="table", class_name="results"),
        rx.el.p(words.note, class_name="results-note"),
        class_name="sheet report result-sheet",
    )


def _result(label: str, value: str, verdict: tuple[str, str]) -> rx.Component:
    kind, name = verdict
    return rx.el.tr(
        rx.el.th(label, scope="row", role="rowheader"),
        rx.el.td(value, role="cell", class_name="results-short" if len(value) <= MAX_UNBROKEN_LENGTH else None),
        rx.el.td(rx.el.span(name, class_name=f"chip chip-{kind}"), role="cell"),
        role="row",  # display: grid on narrow screens would remove the semantics of table and row
    )


def budget_list(words: Budgets) -> rx.Component:
    """Prices side by side, each with the work that it pays for, and a button."""
    return section(
        rx.el.h2(words.heading, class_name="sr-only"),
        rx.el.ul(*[_budget(budget) for budget in words.items], class_name="budgets"),
        rx.el.p(words.note, class_name="mt-8 text-sm text-ink-soft measure"),
        ground="bg-tint",
    )


def _budget(budget: Budget) -> rx.Component:
    facts = [rx.el.div(rx.el.dt(label), rx.el.dd(text)) for label, text in budget.facts]
    return rx.el.li(
        rx.el.h3(budget.price, class_name="budget-price"),
        rx.el.p(budget.text),
        rx.el.dl(*facts),
        rx.el.div(opener(budget.action, kind="quiet")),
        class_name="budget card",
    )


def comparison_table(words: Comparison) -> rx.Component:
    """A table as wide as the page; on narrow screens each of its columns becomes a list, so that a value is below the name of its column.

    There, only the main rows are shown until the visitor asks for all.
    """
    heads = [rx.el.th(head, scope="col", role="columnheader") for head in words.heads]
    return section(
        headline(words.heading, intro=words.intro, anchor=words.anchor),
        rx.el.div(
            fold(words.all_rows),
            rx.el.table(
                rx.el.caption(words.heading, class_name="sr-only"),
                rx.el.thead(rx.el.tr(rx.el.td(role="cell"), *heads, role="row"), role="rowgroup"),
                rx.el.tbody(
                    *[_compared(label, values, is_main=label in words.main_rows) for label, values in words.items],
                    role="rowgroup",
                ),
                role="table",  # display: contents on narrow screens would remove the table's semantics
                class_name="comparison",
            ),
            class_name="folding folding-on-phones comparison-box",
        ),
        ground="border-t border-line",
    )


def _compared(label: str, values: Sequence[str], *, is_main: bool) -> rx.Component:
    cells = [rx.el.td(rx.el.span(value), role="cell", custom_attrs={"data-row": label}) for value in values]
    return rx.el.tr(
        rx.el.th(label, scope="row", role="rowheader"), *cells, role="row", class_name=None if is_main else "comparison-more"
    )


def _progress(progress: Progress) -> rx.Component:
    bar = rx.el.progress(value=str(progress.done), max=str(progress.total), aria_label=progress.label)
    return rx.el.div(rx.el.p(rx.el.span(progress.label), rx.el.strong(progress.text)), bar)


def papers_on_ink(words: Feature, *, head: str, label: str, title: str, content: Sequence[rx.Component]) -> rx.Component:
    """A dark section about documents: text and links, and beside them the upper part of one document.

    `head` and `label` are at the top of the document, `title` and `content` below.
    """
    return section(
        rx.el.div(
            rx.el.p(words.eyebrow, class_name="eyebrow"),
            rx.el.h2(words.headline, class_name="text-3xl"),
            rx.el.p(words.intro, class_name="mt-5 text-lg measure"),
            rx.el.div(*[onward(link.text, link.href) for link in words.links], class_name="mt-4 flex flex-wrap gap-x-6"),
        ),
        rx.el.div(
            rx.el.div(
                rx.el.p(rx.el.span(head), rx.el.span(label, class_name="sample"), class_name="sheet-head"),
                rx.el.p(title, class_name="report-title"),
                *content,
                class_name="sheet",
            ),
            class_name="fold",
        ),
        layout="ink-columns",
        ground="ink",
    )


def sum_table(words: Example) -> rx.Component:
    """The table of a worked example beside its heading; narrow screens scroll it sideways."""
    sums = [rx.el.tr(rx.el.th(row.label, scope="row"), rx.el.td(row.payment), rx.el.td(row.commission)) for row in words.items]
    table = rx.el.table(
        rx.el.caption(words.heading, class_name="sr-only"),
        rx.el.thead(rx.el.tr(*[rx.el.th(head, scope="col") for head in words.heads])),
        rx.el.tbody(*sums),
        class_name="sums",
    )
    return section(
        headline(words.heading, intro=words.intro, class_name="split-side"),
        rx.el.div(
            rx.el.div(table, class_name="sideways", tab_index=0, role="group", aria_label=words.heading),
            rx.el.p(words.note, class_name="mt-5 text-sm text-ink-soft"),
        ),
        layout="split",
        ground="bg-tint",
    )


def technology_table(words: Section[TechnologyCategory]) -> rx.Component:
    """The technologies beside their heading: a line of text for each category."""
    lines = [
        rx.el.div(rx.el.dt(category.name), *[rx.el.dd(unbroken_name(tool.name)) for tool in category.technologies])
        for category in words.items
    ]
    table = rx.el.dl(*lines, class_name="technologies")
    return section(
        headline(words.heading, intro=words.intro, class_name="split-side"),
        table,
        layout="split",
    )


def time_and_model(
    timeline: Section[Phase],
    *,
    model: str,
    fit_heading: str,
    fit_text: str,
    benefits: Sequence[str],
    facts: Sequence[tuple[str, str]],
) -> rx.Component:
    """The phases of a project, and below them the engagement model that suits it. `facts` are pairs of label and value about the model."""
    return section(
        headline(timeline.heading, intro=timeline.intro),
        rx.el.dl(*[_phase(phase) for phase in timeline.items], class_name="phases"),
        rx.el.div(
            rx.el.div(
                rx.el.p(model, class_name="eyebrow"),
                rx.el.h3(fit_heading, class_name="text-2xl"),
                rx.el.p(fit_text, class_name="mt-4 text-ink-soft"),
            ),
            rx.el.div(
                tick_list(benefits),
                rx.el.dl(*[_fact(label, value) for label, value in facts], class_name="model-facts"),
            ),
            class_name="model-fit card",
        ),
        ground="bg-tint",
    )


def _phase(phase: Phase) -> rx.Component:
    return rx.el.div(rx.el.dt(phase.span), rx.el.dd(phase.text, class_name="text-ink-soft"))


def _fact(label: str, value: str) -> rx.Component:
    return rx.el.div(rx.el.dt(label), rx.el.dd(value), class_name="py-2.5 border-t border-line")
