"""The home page."""

import reflex as rx

from components.sections.hero import call_to_action, facts, hero
from components.sections.points import feature, numbered_steps, offer_list, reason_list, testimonials
from components.sections.tables import comparison_table
from site_app.content.home import home as words
from site_app.pages.price import price_section


def home() -> rx.Component:
    texts = words()
    (models,) = texts.models.items
    return rx.fragment(
        hero(texts),
        facts(texts.facts),
        offer_list(texts.services),
        feature(texts.documents, class_name="feature-wide"),
        numbered_steps(texts.process),
        comparison_table(
            heading=texts.models.heading,
            lead=texts.models.lead,
            columns=[(model.name, model.description) for model in models.models],
            benefits=models.benefits,
            rows=models.rows,
            anchor="models",
        ),
        price_section(),
        reason_list(texts.reasons, tinted=False),
        *([testimonials(texts.testimonials)] if texts.testimonials else []),
        call_to_action(texts.invitation),
    )
