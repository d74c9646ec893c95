"""Sections that list things: benefits, reasons, steps, short lists, offers, people of a team, testimonials."""

from collections.abc import Sequence

import reflex as rx

from components.records import (
    Link,
    Offer,
    PersonCard,
    Point,
    PointList,
    PointLists,
    SamplePictures,
    Section,
    Step,
    Testimonial,
    Testimonials,
)
from components.ui.button import action_row
from components.ui.text import headline, onward, section, tick_list


def reason_list(words: Section[Point], *, anchor: str = "", pictures: SamplePictures | None = None) -> rx.Component:
    """A list of reasons or benefits below its heading, two in a row where there is room, and pictures of what they lead to below it."""
    return section(
        headline(words.heading, intro=words.intro, anchor=anchor),
        rx.el.ul(*[rx.el.li(rx.el.h3(point.title), rx.el.p(point.text)) for point in words.items], class_name="reasons"),
        *([_sample_pictures(pictures)] if pictures else []),
        ground="bg-tint",
    )


def _sample_pictures(words: SamplePictures) -> rx.Component:
    pictures = [
        rx.el.img(
            src=src,
            alt=alt,
            loading="lazy",
            class_name="sample-picture",
            custom_attrs={"width": words.width, "height": words.height},
        )
        for src, alt in words.items
    ]
    caption = rx.el.figcaption(words.caption, rx.el.span(words.label, class_name="sample"))
    return rx.el.figure(*pictures, caption, class_name="sample-pictures")


def numbered_steps(words: Section[Step], *, anchor: str = "", details: Link | None = None) -> rx.Component:
    """Steps along a line, side by side on wide screens, else one below the other.

    With a link to their `details`, only the titles of the steps are shown.
    """
    steps = [_step(step, has_text=details is None) for step in words.items]
    return section(
        headline(words.heading, intro=words.intro, anchor=anchor),
        rx.el.ol(*steps, class_name=f"steps steps-{len(steps)}" + " steps-titles" * bool(details)),
        *([onward(details.text, details.href, class_name="mt-5")] if details else []),
    )


def short_steps(words: Section[Step]) -> rx.Component:
    """Steps for a narrow column."""
    steps = [rx.el.li(rx.el.h3(step.title), rx.el.p(step.text, class_name="text-ink-soft")) for step in words.items]
    return rx.el.section(
        rx.el.h2(words.heading, class_name="mt-16 lg:mt-12 text-3xl lg:text-xl"),
        rx.el.p(words.intro, class_name="mt-2 mb-6 text-ink-soft"),
        rx.el.ol(*steps, class_name="short-steps"),
    )


def _step(step: Step, *, has_text: bool) -> rx.Component:
    text = [rx.el.p(step.text, class_name="text-ink-soft")] if has_text else []
    return rx.el.li(
        rx.el.span(str(step.id), class_name="step-number", aria_hidden="true"),
        rx.el.div(rx.el.h3(step.title, class_name="mb-1.5 text-xl"), *text),
    )


def point_lists(words: PointLists, *, anchor: str) -> rx.Component:
    """A few short lists, each with its own icon, and a call to action."""
    return section(
        headline(words.heading, intro=words.intro, anchor=anchor),
        rx.el.div(*[_point_list(point_list) for point_list in words.items], class_name="point-lists"),
        rx.el.div(
            rx.el.p(words.note, class_name="text-ink-soft measure"), action_row(words.actions), class_name="point-lists-end"
        ),
        ground="bg-primary-soft",
    )


def _point_list(point_list: PointList) -> rx.Component:
    points = tick_list(point_list.points, icon=point_list.icon, class_name="mt-4")
    return rx.el.div(rx.el.h3(point_list.title, class_name="text-xl"), points, class_name="card")


def offer_list(*, heading: str, intro: str, offers: Sequence[Offer], elsewhere: Offer) -> rx.Component:
    """Services, one row each. `elsewhere` is the last row, for visitors whose need is not in the list."""
    rows = [rx.el.li(_offer(offer)) for offer in (*offers, elsewhere)]
    return section(headline(heading, intro=intro), rx.el.ul(*rows, class_name="offers"))


def _offer(offer: Offer) -> rx.Component:
    return rx.el.elements.a(
        rx.el.span(
            rx.el.strong(offer.name, class_name="block font-semibold"),
            rx.el.span(offer.line, class_name="offer-line text-ink-soft"),
        ),
        rx.el.span(class_name="offer-arrow", aria_hidden="true"),
        href=offer.href,
        class_name="offer",
    )


def people_list(words: Section[PersonCard], *, anchor: str) -> rx.Component:
    """The people of the team; the heading has the mark of samples if all of them are."""
    label = _common([person.label for person in words.items])
    return section(
        headline(words.heading, intro=words.intro, anchor=anchor, label=label),
        rx.el.ul(*[_person(person, label="" if label else person.label) for person in words.items], class_name="people"),
    )


def _common(labels: Sequence[str]) -> str:
    """Returns the label that all have, or an empty text."""
    return labels[0] if len(set(labels)) == 1 else ""


def _person(person: PersonCard, *, label: str) -> rx.Component:
    mark = [rx.el.span(label, class_name="sample")] if label else []
    return rx.el.li(
        rx.el.span(person.initials, class_name="portrait", aria_hidden="true"),
        rx.el.div(
            rx.el.h3(person.name, *mark, class_name="person-name"),
            rx.el.p(person.role, class_name="font-semibold text-accent text-sm"),
            rx.el.p(person.facts, class_name="text-sm text-ink-soft"),
            rx.el.p(person.reviews, class_name="mt-2 text-sm"),
        ),
    )


def testimonials(words: Testimonials) -> rx.Component:
    """Quotes of clients; the heading has the mark of samples if all of them are."""
    labels = [words.label if voice.is_sample else "" for voice in words.items]
    common = _common(labels)
    voices = [_voice(voice, "" if common else label) for voice, label in zip(words.items, labels, strict=True)]
    return section(
        headline(words.heading, intro=words.intro, label=common),
        rx.el.ul(*voices, class_name="voices"),
        *(
            [rx.el.p(words.note, class_name="mt-10 text-sm text-ink-soft")]
            if any(voice.is_sample for voice in words.items)
            else []
        ),
    )


def _voice(voice: Testimonial, label: str) -> rx.Component:
    return rx.el.li(
        rx.el.figure(
            rx.el.blockquote(rx.el.p(voice.description)),
            rx.el.figcaption(
                rx.el.img(
                    src=voice.image,
                    alt="",
                    loading="lazy",
                    class_name="avatar",
                    custom_attrs={"width": 48, "height": 48},
                ),
                rx.el.span(rx.el.strong(voice.name, class_name="block font-semibold text-ink"), voice.role),
                *([rx.el.span(label, class_name="sample")] if label else []),
            ),
        ),
    )
