"""The voices of clients."""

import reflex as rx

from components.sections.frame import section
from components.ui.text import headline
from components.words import Testimonial, Testimonials


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
