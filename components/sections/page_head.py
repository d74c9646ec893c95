"""The head of a page that one came to read: its claim, a sentence, and a small figure."""

import reflex as rx

from components.art.art import figure


def page_head(*, claim: str | rx.Component, lead: str = "", art: str = "", note: str = "", short: bool = False) -> rx.Component:
    """A short one leaves the first screen to what follows, such as a form."""
    words = [
        rx.el.h1(claim, class_name="text-3xl" if short else "text-4xl"),
        *(
            [rx.el.p(lead, class_name="mt-4 text-lg text-ink-soft measure" if short else "mt-6 text-xl text-ink-soft measure")]
            if lead
            else []
        ),
        *([rx.el.p(note, class_name="mt-4 text-sm text-ink-soft")] if note else []),
    ]
    return rx.el.section(
        rx.el.div(
            rx.el.div(*words),
            *([figure(art, class_name="page-head-art")] if art else []),
            class_name="wrap page-head page-head-short" if short else "wrap page-head",
        ),
        class_name="border-b border-line",
    )
