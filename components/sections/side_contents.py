"""A long text with its contents at the side."""

from collections.abc import Sequence

import reflex as rx


def side_contents(
    *, title: str, entries: Sequence[tuple[str, str]], body: rx.Component, lang: str | None = None
) -> rx.Component:
    """`entries` are pairs of words and anchor, in the language `lang` if that is not the page's."""
    links = [rx.el.li(rx.el.elements.a(text, href=anchor, class_name="foot-link")) for text, anchor in entries]
    return rx.el.div(
        rx.el.nav(
            rx.el.p(title, class_name="text-sm font-semibold mb-2"),
            rx.el.ul(*links, lang=lang),
            aria_label=title,
            class_name="side-contents",
        ),
        body,
        class_name="wrap band side",
    )
