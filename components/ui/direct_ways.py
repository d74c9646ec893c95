"""How to reach the agency without a form: a mail address and a phone number one can tap."""

from collections.abc import Sequence

import reflex as rx

from components.art.icon import icon
from components.words import WayWords


def direct_ways(ways: Sequence[WayWords], *, lead: str) -> rx.Component:
    return rx.el.div(
        rx.el.p(lead, class_name="text-ink-soft"),
        rx.el.ul(*[rx.el.li(_way(way)) for way in ways], class_name="mt-4 grid gap-2"),
    )


def _way(way: WayWords) -> rx.Component:
    return rx.el.elements.a(
        icon(way.icon),
        rx.el.span(way.label, class_name="sr-only"),
        rx.el.span(" ".join(way.values)),
        href=way.href,
        class_name="menu-link font-semibold gap-3 -mx-3",
    )
