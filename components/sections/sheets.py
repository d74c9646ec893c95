"""Papers shown as they are: the sheets of a document, a weekly report at a glance, a page cropped at the fold on a band of ink."""

from collections.abc import Sequence

import reflex as rx

from components.ui.text import onward, section
from components.words import Feature, Link, Progress, ReportSheet, ResultSheet

_ONE_LINE = 14  # characters of a value that stay together


def paper(*, head: str, label: str, sheets: Sequence[tuple[str, Sequence[rx.Component], str]], link: Link) -> rx.Component:
    """A document as its sheets lie side by side; each is a page of its own where it is printed.

    `sheets` are the heading, the content and the foot of each; `head` and `label` stand on all of them.
    """
    return rx.el.div(
        rx.el.div(
            *[_sheet(head, label, *sheet) for sheet in sheets],
            class_name=f"wrap papers papers-{min(len(sheets), 2)}",
        ),
        onward(link.text, link.href, class_name="wrap desk-link mt-10"),
        class_name="bg-tint desk",
    )


def _sheet(head: str, label: str, heading: str, content: Sequence[rx.Component], foot: str) -> rx.Component:
    return rx.el.section(
        rx.el.div(rx.el.span(head), rx.el.span(label, class_name="sample"), class_name="sheet-head"),
        rx.el.h2(heading, class_name="mt-7 mb-4 text-2xl"),
        rx.el.div(*content, class_name="prose"),
        rx.el.p(foot, class_name="sheet-foot"),
        class_name="sheet",
    )


def report_sheet(words: ReportSheet) -> rx.Component:
    """A weekly report at a glance: what is done, next and at risk, each in its colour, and how far the project is."""
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


def result_sheet(words: ResultSheet) -> rx.Component:
    """A short list of results, each with its verdict in its colour."""
    return rx.el.figure(
        rx.el.figcaption(rx.el.span(words.head), rx.el.span(words.label, class_name="sample"), class_name="sheet-head"),
        rx.el.p(words.title, class_name="report-title"),
        rx.el.table(rx.el.tbody(*[_result(*row) for row in words.rows]), class_name="results"),
        rx.el.p(words.note, class_name="results-note"),
        class_name="sheet report result-sheet",
    )


def _result(label: str, value: str, verdict: tuple[str, str]) -> rx.Component:
    kind, name = verdict
    return rx.el.tr(
        rx.el.th(label, scope="row"),
        rx.el.td(value, class_name="results-short" if len(value) <= _ONE_LINE else None),
        rx.el.td(rx.el.span(name, class_name=f"chip chip-{kind}")),
    )


def _progress(progress: Progress) -> rx.Component:
    bar = rx.el.progress(value=str(progress.done), max=str(progress.total), aria_label=progress.label)
    return rx.el.div(rx.el.p(rx.el.span(progress.label), rx.el.strong(progress.text)), bar)


def papers_on_ink(words: Feature, *, head: str, label: str, title: str, content: Sequence[rx.Component]) -> rx.Component:
    """The dark band of a page: words about its papers, and beside them one of them as far as the fold."""
    return section(
        rx.el.div(
            rx.el.p(words.eyebrow, class_name="eyebrow"),
            rx.el.h2(words.headline, class_name="text-3xl"),
            rx.el.p(words.lead, class_name="mt-6 text-lg measure"),
            *[onward(link.text, link.href, class_name="mt-5") for link in words.links],
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
