"""Who the agency is."""

import reflex as rx

from components.sections.article import story
from components.sections.hero import call_to_action, hero
from components.sections.points import benefits_grid, feature, numbered_steps, reason_list, testimonials
from site_app.content.about_us import about_us as words


def about_us() -> rx.Component:
    says = words()
    return rx.fragment(
        hero(says),
        story(says.story),
        feature(says.founder, anchor="founder", class_name="feature-portrait"),
        benefits_grid(says.values, tinted=False),
        numbered_steps(says.process, anchor="process"),
        reason_list(says.reasons),
        benefits_grid(says.trust, anchor="trust", tinted=False),
        *([testimonials(says.testimonials)] if says.testimonials.items else []),
        call_to_action(says.invitation),
    )
