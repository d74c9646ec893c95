"""What is offered: a list of rows in two columns, each of them one link."""

from collections.abc import Sequence

import reflex as rx

from components.sections.frame import section
from components.ui.text import headline
from components.words import Offer


def offer_list(*, heading: str, lead: str, offers: Sequence[Offer], elsewhere: Offer) -> rx.Component:
    """`elsewhere` is the last row: where to go with what is not in the list."""
    rows = [rx.el.li(_link(offer)) for offer in (*offers, elsewhere)]
    return section(headline(heading, lead=lead), rx.el.ul(*rows, class_name="offers"))


def _link(offer: Offer) -> rx.Component:
    return rx.el.elements.a(
        rx.el.span(
            rx.el.strong(offer.name, class_name="block font-semibold"),
            rx.el.span(offer.line, class_name="offer-line text-ink-soft"),
        ),
        rx.el.span(class_name="offer-arrow", aria_hidden="true"),
        href=offer.href,
        class_name="offer",
    )
