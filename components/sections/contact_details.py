"""Mail, phone, address and the social networks."""

from collections.abc import Sequence

import reflex as rx

from components.art.art import figure
from components.art.icon import icon
from components.words import ContactDetail, Section, SocialLink


def contact_details(
    words: Section[ContactDetail], *, social_title: str, social: Sequence[SocialLink], art: str
) -> rx.Component:
    return rx.el.aside(
        rx.el.h2(words.heading, class_name="text-xl"),
        rx.el.p(words.lead, class_name="mt-2 text-ink-soft"),
        rx.el.dl(*[_detail(detail) for detail in words.items], class_name="mt-6"),
        figure(art, class_name="mt-8 contact-art"),
        rx.el.h3(social_title, class_name="mt-8 text-sm"),
        rx.el.ul(*[rx.el.li(_social(one)) for one in social], class_name="flex flex-wrap -mx-2 mt-1"),
        aria_label=words.heading,
    )


def _detail(detail: ContactDetail) -> rx.Component:
    lines = [rx.el.span(value, class_name="block") for value in detail.values]
    return rx.el.div(
        rx.el.dt(icon(detail.icon, class_name="text-accent"), rx.el.span(detail.label, class_name="sr-only")),
        rx.el.dd(rx.el.elements.a(*lines, href=detail.href, class_name="contact-link")),
        class_name="contact-detail",
    )


def _social(one: SocialLink) -> rx.Component:
    return rx.el.elements.a(icon(one.icon), href=one.link, rel="me noopener", aria_label=one.name, class_name="icon-button")
