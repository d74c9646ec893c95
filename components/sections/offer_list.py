"""The services in their groups, one line each, every line a link."""

import reflex as rx

from components.art.art import glyph
from components.sections.section import section
from components.ui.text import headline
from components.words import Offer, OfferGroup, Section


def offer_list(words: Section[OfferGroup]) -> rx.Component:
    return section(headline(words.heading, lead=words.lead), rx.el.div(*map(_group, words.items), class_name="offers"))


def _group(group: OfferGroup) -> rx.Component:
    return rx.el.div(
        rx.el.h3(group.name, class_name="text-xl"),
        rx.el.p(group.text, class_name="mt-1 text-ink-soft"),
        rx.el.ul(*[_offer(offer) for offer in group.offers], class_name="mt-5"),
    )


def _offer(offer: Offer) -> rx.Component:
    return rx.el.li(
        rx.el.elements.a(
            glyph(offer.slug),
            rx.el.span(
                rx.el.strong(offer.name, class_name="block font-semibold"),
                rx.el.span(offer.line, class_name="block text-ink-soft"),
            ),
            rx.el.span(class_name="offer-arrow", aria_hidden="true"),
            href=offer.href,
            class_name="offer",
        ),
    )
