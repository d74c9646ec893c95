"""Who the agency is."""

import reflex as rx

from components.sections.article import story
from components.sections.call_to_action import call_to_action
from components.sections.feature import feature
from components.sections.hero import hero
from components.sections.points import benefits_grid, numbered_steps, reason_list
from components.sections.testimonials import testimonials
from site_app.content.about_us import about_us as words


def about_us() -> rx.Component:
    says = words()
    voices = says.testimonials
    return rx.fragment(
        hero(claim=says.claim, lead=says.lead, art=says.illustration, actions=says.invitation.actions),
        story(heading=says.story.heading, lead=says.story.lead, paragraphs=says.story.items),
        feature(
            eyebrow=says.founder.eyebrow,
            claim=says.founder.name,
            lead=says.founder.words,
            art=says.founder.portrait,
            facts=says.founder.facts,
            label=says.founder.label if says.founder.is_sample else "",
            anchor="founder",
            class_name="feature-portrait",
        ),
        benefits_grid(heading=says.values.heading, lead=says.values.lead, points=says.values.items, tinted=False),
        numbered_steps(heading=says.process.heading, lead=says.process.lead, steps=says.process.items, anchor="process"),
        reason_list(heading=says.reasons.heading, lead=says.reasons.lead, points=says.reasons.items),
        benefits_grid(heading=says.trust.heading, lead=says.trust.lead, points=says.trust.items, anchor="trust", tinted=False),
        testimonials(heading=voices.heading, lead=voices.lead, label=voices.label, note=voices.note, voices=voices.items),
        call_to_action(heading=says.invitation.heading, text=says.invitation.text, actions=says.invitation.actions),
    )
