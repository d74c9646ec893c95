"""A section's frame, and sections that list: points, steps, short lists, a feature with its figure, offers, testimonials."""

import reflex as rx

from components.art.art import figure, glyph
from components.art.icons import icon
from components.ui.button import action_row
from components.ui.text import headline, onward, tick_list
from components.words import Feature, Offer, OfferGroup, Point, PointList, PointLists, Section, Step, Testimonial, Testimonials


def section(*inside: rx.Component, layout: str = "", ground: str = "", anchor: str = "") -> rx.Component:
    """A section. `layout` are additional classes of the box between the margins, `ground` those of the full-width section."""
    box = rx.el.div(*inside, class_name=f"wrap band {layout}".strip())
    return rx.el.section(box, id=anchor or None, class_name=ground or None)


def benefits_grid(words: Section[Point], *, tinted: bool = True, anchor: str = "") -> rx.Component:
    """A list of benefits, one below the other, beside their heading."""
    return section(
        headline(words.heading, lead=words.lead, anchor=anchor, class_name="split-side"),
        rx.el.ul(*[_benefit(point) for point in words.items], class_name="benefits"),
        layout="split",
        ground="bg-tint" if tinted else "",
    )


def _benefit(point: Point) -> rx.Component:
    texts = (rx.el.h3(point.title, class_name="text-xl"), rx.el.p(point.text, class_name="mt-2 text-ink-soft"))
    return rx.el.li(icon(point.icon, class_name="mt-0.5 text-accent"), rx.el.div(*texts))


def reason_list(words: Section[Point], *, tinted: bool = True) -> rx.Component:
    """A list of reasons, the first two set large."""
    reasons = [rx.el.li(rx.el.h3(point.title), rx.el.p(point.text, class_name="text-ink-soft")) for point in words.items]
    return section(
        headline(words.heading, lead=words.lead), rx.el.ul(*reasons, class_name="reasons"), ground="bg-tint" if tinted else ""
    )


def numbered_steps(words: Section[Step], *, anchor: str = "") -> rx.Component:
    """Steps along a line, side by side on wide screens, else one below the other."""
    return section(
        headline(words.heading, lead=words.lead, anchor=anchor),
        rx.el.ol(*[_step(step) for step in words.items], class_name=f"steps steps-{len(words.items)}"),
    )


def _step(step: Step) -> rx.Component:
    return rx.el.li(
        rx.el.span(str(step.id), class_name="step-number", aria_hidden="true"),
        rx.el.div(rx.el.h3(step.title, class_name="mb-1.5 text-xl"), rx.el.p(step.text, class_name="text-ink-soft")),
    )


def point_lists(words: PointLists, *, anchor: str) -> rx.Component:
    """A few short lists, each with its own icon, and a call to action."""
    return section(
        headline(words.heading, lead=words.lead, anchor=anchor),
        rx.el.div(*[_list(point_list) for point_list in words.items], class_name="point-lists"),
        rx.el.div(
            rx.el.p(words.note, class_name="text-ink-soft measure"), action_row(words.actions), class_name="point-lists-end"
        ),
        ground="bg-primary-soft",
    )


def _list(point_list: PointList) -> rx.Component:
    points = tick_list(point_list.points, icon=point_list.icon, class_name="mt-4")
    return rx.el.div(rx.el.h3(point_list.title, class_name="text-xl"), points, class_name="card")


def feature(words: Feature, *, anchor: str = "", class_name: str = "") -> rx.Component:
    marked = [rx.el.span(words.label, class_name="sample")] if words.label else []
    return section(
        figure(words.illustration, class_name="hero-art"),
        rx.el.div(
            rx.el.p(words.eyebrow, *marked, class_name="eyebrow"),
            rx.el.h2(words.headline, class_name="text-3xl"),
            rx.el.p(words.lead, class_name="mt-6 text-lg text-ink-soft measure"),
            *([rx.el.dl(*[_fact(*fact) for fact in words.facts], class_name="feature-facts mt-8")] if words.facts else []),
            *[onward(fact.text, fact.href, class_name="mt-5") for fact in words.links],
        ),
        layout="feature",
        ground=f"bg-primary-soft {class_name}".strip(),
        anchor=anchor,
    )


def _fact(label: str, value: str) -> rx.Component:
    return rx.el.div(rx.el.dt(label, class_name="text-ink-soft"), rx.el.dd(value))


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


def testimonials(words: Testimonials) -> rx.Component:
    return section(
        headline(words.heading, lead=words.lead),
        rx.el.ul(*[_voice(voice, words.label) for voice in words.items], class_name="voices"),
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
                *([rx.el.span(label, class_name="sample")] if voice.is_sample else []),
            ),
        ),
    )
