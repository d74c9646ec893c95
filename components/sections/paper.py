"""A document as its sheets of paper lie on a desk; each is a page of its own where it is printed."""

from collections.abc import Sequence

import reflex as rx

from components.ui.onward import onward
from components.words import LinkWords


def paper(*, head: str, label: str, sheets: Sequence[tuple[str, Sequence[rx.Component], str]], link: LinkWords) -> rx.Component:
    """`sheets` are the heading, the content and the foot of each; `head` and `label` stand on all of them."""
    return rx.el.div(
        rx.el.div(
            *[_sheet(head, label, *sheet) for sheet in sheets],
            class_name=f"wrap papers papers-{min(len(sheets), 2)}",
        ),
        onward(link.text, link.href, class_name="wrap desk-link"),
        class_name="bg-tint desk",
    )


def _sheet(head: str, label: str, heading: str, content: Sequence[rx.Component], foot: str) -> rx.Component:
    return rx.el.section(
        rx.el.div(rx.el.span(head), rx.el.span(label, class_name="sample"), class_name="sheet-head"),
        rx.el.h2(heading, class_name="sheet-title"),
        rx.el.div(*content, class_name="prose"),
        rx.el.p(foot, class_name="sheet-foot"),
        class_name="sheet",
    )
