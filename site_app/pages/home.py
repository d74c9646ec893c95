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
