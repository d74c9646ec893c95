"""Sections of running text: a story, a long text with contents and summary, the sheets of a document, questions that open without a script."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from components.art.icons import icon
from components.sections.points import section
from components.ui.text import onward
from components.words import Link, Section


def story(words: Section[str]) -> rx.Component:
    """A short text in paragraphs, its first sentence set large."""
    paragraphs = rx.el.div(*[rx.el.p(paragraph) for paragraph in words.items], class_name="prose measure mt-8 text-lg")
    return section(
        rx.el.h2(words.heading, class_name="text-xl split-side"),
        rx.el.div(rx.el.p(words.lead, class_name="story-lead"), paragraphs),
        layout="split",
        ground="border-t border-line",
    )


def side_contents(
    *, title: str, entries: Sequence[tuple[str, str]], body: rx.Component, lang: str | None = None
) -> rx.Component:
    """A long text with a table of contents beside it. `entries` are pairs of text and anchor, in the language `lang` if it is not the page's."""
    links = [rx.el.li(rx.el.elements.a(text, href=anchor, class_name="foot-link")) for text, anchor in entries]
    return rx.el.div(
        rx.el.nav(
            rx.el.p(title, class_name="font-semibold mb-2"),
            rx.el.ul(*links, lang=lang),
            aria_label=title,
            class_name="side-contents text-sm",
        ),
        body,
        class_name="wrap band side",
    )


def summary(*, title: str, lines: Sequence[str], note: str) -> rx.Component:
    """A few lines that summarize a long text, with a note that they are only a summary."""
    return rx.el.aside(
        rx.el.p(title, class_name="summary-title"),
        rx.el.ul(*[rx.el.li(line) for line in lines]),
        rx.el.p(note, class_name="summary-note"),
        aria_label=title,
        class_name="summary card",
    )


def paper(*, head: str, label: str, sheets: Sequence[tuple[str, Sequence[rx.Component], str]], link: Link) -> rx.Component:
    """A document as sheets side by side; each sheet prints as a page.

    `sheets` are the heading, the content and the footer of each sheet; `head` and `label` appear on all of them.
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


Questions = Sequence[tuple[str, str, Sequence[rx.Component]]]  # slug, question, and the components of the answer


def question_list(*, group: str, questions: Questions) -> rx.Component:
    return rx.el.div(*[_question(group, *question) for question in questions], class_name="questions")


def _question(group: str, slug: str, question: str, answer: Sequence[rx.Component]) -> rx.Component:
    return rx.el.details(
        rx.el.summary(rx.el.h3(question), icon("plus")),
        rx.el.div(*answer, class_name="answer prose"),
        id=slug,
        custom_attrs={"name": group},
    )


def answer_list(items: Sequence[Any], *, ordered: bool) -> rx.Component:
    """A list of entries, each with or without a title."""
    entries = [rx.el.li(*([rx.el.strong(item.title, class_name="block")] if item.title else []), item.text) for item in items]
    return (rx.el.ol if ordered else rx.el.ul)(*entries)


def question_section(*, heading: str, more: str, href: str, group: str, questions: Questions) -> rx.Component:
    """A few questions on a page other than the FAQ, with a link to the FAQ."""
    return section(
        rx.el.div(rx.el.h2(heading, class_name="text-3xl"), onward(more, href, class_name="mt-5"), class_name="split-side"),
        question_list(group=group, questions=questions),
        layout="split",
        ground="border-t border-line",
    )
