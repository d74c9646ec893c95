"""The home page."""

import reflex as rx

from components.sections.call_to_action import call_to_action
from components.sections.comparison_table import comparison_table
from components.sections.hero import facts, hero
from components.sections.numbered_steps import numbered_steps
from components.sections.offer_list import offer_list
from components.sections.reason_list import reason_list
from components.sections.testimonials import testimonials
from site_app.content.home import home as words


def home() -> rx.Component:
    says = words()
    (models,) = says.models.items
    voices = says.testimonials
    return rx.fragment(
        hero(claim=says.claim, lead=says.lead, art=says.illustration, actions=says.actions),
        facts(says.facts),
        offer_list(heading=says.services.heading, lead=says.services.lead, groups=says.services.items),
        reason_list(heading=says.reasons.heading, lead=says.reasons.lead, points=says.reasons.items),
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
        testimonials(heading=voices.heading, lead=voices.lead, label=voices.label, note=voices.note, voices=voices.items),
        call_to_action(heading=says.invitation.heading, text=says.invitation.text, actions=says.invitation.actions),
    )
