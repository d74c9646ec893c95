"""The people of a team: a portrait of initials, what each does, and what each looks at before it is handed over."""

import reflex as rx

from components.sections.frame import section
from components.ui.text import headline
from components.words import PersonCard, Section


def people_list(words: Section[PersonCard], *, anchor: str) -> rx.Component:
    return section(
        headline(words.heading, lead=words.lead, anchor=anchor),
        rx.el.ul(*[_person(person, tone) for tone, person in enumerate(words.items)], class_name="people"),
    )


def _person(person: PersonCard, tone: int) -> rx.Component:
    mark = [rx.el.span(person.label, class_name="sample")] if person.label else []
    return rx.el.li(
        rx.el.span(person.initials, class_name=f"portrait portrait-{tone % 3}", aria_hidden="true"),
        rx.el.div(
            rx.el.h3(person.name, *mark, class_name="person-name"),
            rx.el.p(person.role, class_name="font-semibold text-accent text-sm"),
            rx.el.p(person.facts, class_name="text-sm text-ink-soft"),
            rx.el.p(person.reviews, class_name="mt-2 text-sm"),
        ),
    )
