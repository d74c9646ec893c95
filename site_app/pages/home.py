"""The home page."""

import reflex as rx

from components.sections.hero import call_to_action, facts, hero
from components.sections.points import feature, numbered_steps, offer_list, reason_list, testimonials
from components.sections.tables import comparison_table
from site_app.content.home import home as words
from site_app.pages.price import price_section


def home() -> rx.Component:
    says = words()
    (models,) = says.models.items
    return rx.fragment(
        hero(says),
        facts(says.facts),
        offer_list(says.services),
        feature(says.documents, class_name="feature-wide"),
        numbered_steps(says.process),
        comparison_table(
            heading=says.models.heading,
            lead=says.models.lead,
            columns=[(model.name, model.description) for model in models.models],
            benefits=models.benefits,
            rows=models.rows,
            anchor="models",
        ),
        price_section(),
        reason_list(says.reasons, tinted=False),
        *([testimonials(says.testimonials)] if says.testimonials else []),
        call_to_action(says.invitation),
    )
