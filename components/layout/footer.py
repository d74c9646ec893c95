"""The footer of every page: links by group, how to reach the agency, and its policies."""

from collections.abc import Sequence

import reflex as rx

from components.art.drawings import illustration
from components.browser import current_page
from components.records import Footer, Link, SocialLink


def footer(content: Footer, *, brand: Link) -> rx.Component:
    return rx.el.footer(
        rx.el.div(
            rx.el.div(
                rx.el.elements.a(illustration("mark", class_name="mark"), brand.text, href=brand.href, class_name="brand"),
                rx.el.p(content.headline, class_name="mt-3 text-ink-soft"),
                class_name="foot-brand",
            ),
            *[_footer_links(group.title, group.links) for group in content.groups],
            _contact(content),
            class_name="wrap foot-columns",
        ),
        rx.el.div(
            rx.el.ul(
                *[_footer_item(link) for link in content.policies],
                aria_label=content.policies_title,
                class_name="flex flex-wrap gap-x-5",
            ),
            rx.el.ul(
                *[rx.el.li(_social(link)) for link in content.social],
                aria_label=content.social_title,
                class_name="flex flex-wrap gap-x-5",
            ),
            rx.el.p(content.small_print, class_name="text-ink-soft"),
            class_name="wrap foot-base",
        ),
        class_name="foot",
    )


def _footer_links(title: str, links: Sequence[Link]) -> rx.Component:
    return rx.el.div(rx.el.h2(title, class_name="foot-title"), rx.el.ul(*[_footer_item(link) for link in links]))


def _footer_item(link: Link) -> rx.Component:
    return rx.el.li(rx.el.elements.a(link.text, href=link.href, class_name="foot-link", custom_attrs=current_page(link.href)))


def _contact(content: Footer) -> rx.Component:
    details = [
        rx.el.div(
            rx.el.dt(detail.label, class_name="sr-only"),
            rx.el.dd(
                rx.el.elements.a(
                    *[rx.el.span(value, class_name="block") for value in detail.values],
                    href=detail.href,
                    class_name="foot-link",
                )
            ),
        )
        for detail in content.details
    ]
    return rx.el.div(rx.el.h2(content.contact_title, class_name="foot-title"), rx.el.dl(*details))


def _social(link: SocialLink) -> rx.Component:
    return rx.el.elements.a(link.name, href=link.link, rel="me noopener", class_name="foot-link")
