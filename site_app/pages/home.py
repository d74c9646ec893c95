"""The home page."""

import reflex as rx

from components.sections.call_to_action import call_to_action
from components.sections.feature import feature
from components.sections.hero import facts, hero
from components.sections.offer_list import offer_list
from components.sections.points import numbered_steps, reason_list
from components.sections.tables import comparison_table
from components.sections.testimonials import testimonials
from site_app.content.home import home as words
from site_app.content.testimonials import Testimonials


def home() -> rx.Component:
    says = words()
    (models,) = says.models.items
    documents, voices = says.documents, says.testimonials
    return rx.fragment(
        hero(claim=says.claim, lead=says.lead, art=says.illustration, actions=says.invitation.actions),
        facts(says.facts),
        offer_list(heading=says.services.heading, lead=says.services.lead, groups=says.services.items),
        feature(
            eyebrow=documents.eyebrow,
            claim=documents.claim,
            lead=documents.lead,
            art=documents.illustration,
            links=documents.links,
            class_name="feature-wide",
        ),
        numbered_steps(heading=says.process.heading, lead=says.process.lead, steps=says.process.items),
        comparison_table(
            heading=says.models.heading,
            lead=says.models.lead,
            caption=says.models.heading,
            columns=models.models,
            benefits=models.benefits,
            rows=models.rows,
            anchor="models",
        ),
        reason_list(heading=says.reasons.heading, lead=says.reasons.lead, points=says.reasons.items, tinted=False),
        *([_voices(voices)] if voices else []),
        call_to_action(heading=says.invitation.heading, text=says.invitation.text, actions=says.invitation.actions),
    )


def _voices(says: Testimonials) -> rx.Component:
    return testimonials(heading=says.heading, lead=says.lead, label=says.label, note=says.note, voices=says.items)
