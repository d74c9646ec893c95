"""Brand creation, a section of the digital marketing page."""

import reflex as rx

from components.sections.feature import feature
from components.sections.points import benefits_grid, numbered_steps
from components.sections.tables import technology_table
from site_app.content.services.brand_creation import brand_creation
from site_app.pages.service import time

ANCHOR = "brand-creation"


def brand_section() -> rx.Component:
    says = brand_creation()
    return rx.fragment(
        feature(anchor=ANCHOR, eyebrow=says.offer.name, claim=says.claim, lead=says.lead, art=says.illustration),
        benefits_grid(heading=says.benefits.heading, lead=says.benefits.lead, points=says.benefits.items, tinted=False),
        time(says),
        numbered_steps(heading=says.approach.heading, lead=says.approach.lead, steps=says.approach.items),
        technology_table(heading=says.technologies.heading, lead=says.technologies.lead, categories=says.technologies.items),
    )
