"""Parts of case studies and articles: entries of a list, the line of author and date, facts and figures of a case."""

from collections.abc import Sequence

import reflex as rx

from components.ui.picture import picture
from components.words import Entry


def entry_list(entries: Sequence[Entry], *, level: int, whole: bool = True) -> rx.Component:
    """`level` is that of the entries' headings. An entry that is not `whole` has no picture, and no text beside its figure."""
    return rx.el.ul(*[_entry(entry, level, whole=whole) for entry in entries], class_name="entries")


def _entry(entry: Entry, level: int, *, whole: bool) -> rx.Component:
    heading = rx.el.h2 if level == 2 else rx.el.h3
    return rx.el.li(
        *([picture(entry.picture, alt=entry.alt, sizes="(min-width: 64rem) 24rem, 92vw")] if whole and entry.picture else []),
        rx.el.p(entry.note, *([rx.el.span(entry.label, class_name="sample")] if entry.label else []), class_name="entry-note"),
        heading(rx.el.elements.a(entry.title, href=entry.href, class_name="entry-link"), class_name="text-xl"),
        *([rx.el.p(rx.el.strong(entry.figure.value), entry.figure.text, class_name="entry-figure")] if entry.figure else []),
        *([rx.el.p(entry.text, class_name="text-ink-soft")] if whole or not entry.figure else []),
        class_name="entry",
    )


def filters(links: Sequence[tuple[str, str, bool]], *, label: str) -> rx.Component:
    """Links to the other lists as triples of name, address and whether it is the one shown."""
    return rx.el.nav(rx.el.ul(*[_filter(*link) for link in links], class_name="filters"), aria_label=label)


def _filter(name: str, href: str, is_here: bool) -> rx.Component:
    here = {"aria-current": "page"} if is_here else {}
    return rx.el.li(rx.el.elements.a(name, href=href, class_name="filter", custom_attrs=here))


def pager(links: Sequence[tuple[str, str, bool]], *, label: str) -> rx.Component:
    return rx.el.nav(rx.el.ul(*[_filter(*link) for link in links], class_name="filters mt-10"), aria_label=label)


def byline(parts: Sequence[str], *, tags: Sequence[str], label: str, draft: str) -> rx.Component:
    """Who wrote it, when, and how long it takes to read; then what it is about."""
    marks = [rx.el.span(mark, class_name="sample") for mark in (label, draft) if mark]
    subjects = [rx.el.span(" · ".join(tags))] if tags else []
    return rx.el.p(*[rx.el.span(part) for part in parts], *subjects, *marks, class_name="byline")


def case_facts(facts: Sequence[tuple[str, str]]) -> rx.Component:
    """Pairs of label and value, such as the client, how long it took, and what it cost."""
    each = [rx.el.div(rx.el.dt(label), rx.el.dd(value), class_name="case-fact") for label, value in facts]
    return rx.el.div(rx.el.dl(*each, class_name="wrap case-facts"))
