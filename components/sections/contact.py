"""Ways to reach the agency, and its working hours in the time zones of several places, as a table with bars on one axis."""

from collections.abc import Sequence
from math import ceil, floor

import reflex as rx

from components.art.icons import icon
from components.records import ContactDetail, Hours, PlaceHours, Section, SocialLink, Span
from components.ui.text import breakable, headline, section


def contact_details(words: Section[ContactDetail], *, social_title: str, social: Sequence[SocialLink]) -> rx.Component:
    return rx.el.aside(
        rx.el.h2(words.heading, class_name="text-3xl lg:text-xl"),
        rx.el.p(words.intro, class_name="mt-2 text-ink-soft"),
        rx.el.dl(*[_detail(detail) for detail in words.items], class_name="contact-details mt-6"),
        rx.el.h3(social_title, class_name="mt-8 text-sm"),
        rx.el.ul(*[rx.el.li(_social(link)) for link in social], class_name="flex flex-wrap -mx-2 mt-1"),
        aria_label=words.heading,
    )


def _detail(detail: ContactDetail) -> rx.Component:
    lines = [rx.el.span(*breakable(value), class_name="block") for value in detail.values]
    return rx.el.div(
        rx.el.dt(icon(detail.icon, class_name="text-accent"), rx.el.span(detail.label, class_name="sr-only")),
        rx.el.dd(rx.el.elements.a(*lines, href=detail.href, class_name="contact-link")),
        class_name="contact-detail",
    )


def _social(link: SocialLink) -> rx.Component:
    return rx.el.elements.a(icon(link.icon), href=link.link, rel="me noopener", aria_label=link.name, class_name="icon-button")


_STEP = 3  # hours between two marks of the axis


def hours_table(words: Hours, *, anchor: str) -> rx.Component:
    axis = _axis([words.office, *(place.team for place in words.items)])
    place, clock, *seasons = words.heads
    marks = [rx.el.span(f"{hour % 24:02}") for hour in range(axis[0], axis[1] + 1, _STEP)]
    head = rx.el.tr(
        rx.el.th(place, scope="col"),
        rx.el.td(clock, rx.el.div(*marks, class_name="hours-marks"), role="presentation", aria_hidden="true"),
        *[rx.el.th(season, scope="col") for season in seasons],
    )
    return section(
        headline(words.heading, intro=words.intro, anchor=anchor),
        rx.el.table(
            rx.el.caption(words.heading, class_name="sr-only"),
            rx.el.thead(head),  # narrow screens hide it, and each cell shows its own heading
            rx.el.tbody(*[_row(place_hours, words.office, axis, seasons) for place_hours in words.items], role="rowgroup"),
            role="table",  # display: grid on narrow screens would remove the table's semantics
            class_name="hours",
        ),
        rx.el.ul(*[_key(name, text) for name, text in words.legend], class_name="hours-legend", aria_hidden="true"),
        layout="max-lg:pb-8",
        ground="border-t border-line",
    )


def _row(place: PlaceHours, office: Span, axis: tuple[int, int], seasons: Sequence[str]) -> rx.Component:
    return rx.el.tr(
        rx.el.th(place.place, scope="row", role="rowheader"),
        rx.el.td(_bars(place, office, axis), aria_hidden="true"),
        *[
            rx.el.td(text, role="cell", custom_attrs={"data-column": season})
            for text, season in zip(place.texts, seasons, strict=True)
        ],
        role="row",
    )


def _bars(place: PlaceHours, office: Span, axis: tuple[int, int]) -> rx.Component:
    winter, summer = place.shared
    shapes = [("office", office, 0, 10), ("ours", place.team, 3, 4), ("summer", summer, 3, 4), ("shared", winter, 3, 4)]
    rects = "".join(
        f'<rect class="hours-{name}" x="{start:g}" y="{top}" width="{end - start:g}" height="{high}"/>'
        for name, (start, end), top, high in shapes
    )
    return rx.el.svg(
        view_box=f"{axis[0]} 0 {axis[1] - axis[0]} 10",
        class_name="hours-bars",
        custom_attrs={"preserveAspectRatio": "none", "dangerouslySetInnerHTML": {"__html": rects}},
    )


def _axis(spans: Sequence[Span]) -> tuple[int, int]:
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    return floor(first / _STEP) * _STEP, ceil(last / _STEP) * _STEP


def _key(name: str, text: str) -> rx.Component:
    return rx.el.li(rx.el.span(class_name=f"hours-key hours-{name}"), text)
