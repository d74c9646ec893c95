"""How long it takes, and beside it the engagement model that fits."""

from collections.abc import Sequence

import reflex as rx

from components.sections.section import section
from components.ui.text import headline, tick_list
from components.words import Phase, Section


def time_and_model(
    timeline: Section[Phase],
    *,
    model: str,
    fit_heading: str,
    fit_text: str,
    benefits: Sequence[str],
    facts: Sequence[tuple[str, str]],
) -> rx.Component:
    """`facts` are pairs of label and value about the model."""
    return section(
        rx.el.div(
            headline(timeline.heading, lead=timeline.lead),
            rx.el.dl(*[_phase(phase) for phase in timeline.items], class_name="phases mt-10"),
        ),
        rx.el.div(
            rx.el.p(model, class_name="eyebrow"),
            rx.el.h3(fit_heading, class_name="text-2xl"),
            rx.el.p(fit_text, class_name="mt-4 text-ink-soft"),
            tick_list(benefits, class_name="mt-6"),
            rx.el.dl(*[_fact(label, value) for label, value in facts], class_name="model-facts"),
            class_name="model-fit card",
        ),
        layout="time-and-model",
        ground="bg-tint",
    )


def _phase(phase: Phase) -> rx.Component:
    return rx.el.div(rx.el.dt(phase.span), rx.el.dd(phase.text, class_name="text-ink-soft"))


def _fact(label: str, value: str) -> rx.Component:
    return rx.el.div(rx.el.dt(label), rx.el.dd(value), class_name="py-2.5 border-t border-line")
