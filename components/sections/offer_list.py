"""The services in their groups, one line each, every line a link."""

from collections.abc import Sequence

import reflex as rx

from components.art.art import glyph
from components.sections.section import section
from components.ui.text import headline
from components.words import OfferGroupWords, OfferWords


def offer_list(*, heading: str, lead: str, groups: Sequence[OfferGroupWords]) -> rx.Component:
    return section(headline(heading, lead=lead), rx.el.div(*[_group(group) for group in groups], class_name="offers"))


def _group(group: OfferGroupWords) -> rx.Component:
    return rx.el.div(
        rx.el.h3(group.name, class_name="text-xl"),
        rx.el.p(group.text, class_name="mt-1 text-ink-soft"),
        rx.el.ul(*[_offer(offer) for offer in group.offers], class_name="mt-5"),
    )


def _offer(offer: OfferWords) -> rx.Component:
    return rx.el.li(
        rx.el.elements.a(
            glyph(offer.slug),
            rx.el.span(
                rx.el.strong(offer.name, class_name="offer-name"),
                rx.el.span(offer.line, class_name="block text-ink-soft"),
            ),
            rx.el.span(class_name="offer-arrow", aria_hidden="true"),
            href=offer.href,
            class_name="offer",
        ),
    )
