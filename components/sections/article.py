"""Sections to read: a story, a long text with contents and summary, questions that open without a script."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from components.art.icons import icon
from components.sections.frame import section
from components.ui.text import onward
from components.words import Section


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


Questions = Sequence[tuple[str, str, Sequence[rx.Component]]]  # slug, question, and the answer already built


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
