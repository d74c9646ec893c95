"""A hero whose claim carries a mark, with the limits of the claim right below it."""

import reflex as rx

from components.art.art import figure
from components.ui.button import button_class, button_link
from components.words import LinkWords


def footnoted_hero(
    *,
    claim: str,
    mark: str,
    lead: str,
    art: str,
    apply: LinkWords,
    terms: LinkWords,
    footnote: str,
    footnote_link: LinkWords,
) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h1(claim, rx.el.elements.a(mark, href="#limits", aria_describedby="limits"), class_name="text-4xl"),
                rx.el.p(lead, class_name="mt-6 text-xl text-ink-soft measure"),
                rx.el.div(
                    rx.el.elements.a(apply.text, href=apply.href, class_name=button_class("strong")),
                    button_link(terms.text, href=terms.href, kind="quiet"),
                    class_name="flex flex-wrap gap-3 mt-9",
                ),
                rx.el.p(
                    f"{mark} {footnote}",
                    rx.el.elements.a(footnote_link.text, href=footnote_link.href),
                    id="limits",
                    class_name="prose mt-8 text-sm text-ink-soft measure",
                ),
            ),
            figure(art, class_name="hero-art"),
            class_name="wrap hero",
        ),
    )
