"""The page about the agency."""

import reflex as rx

from components.sections.article import story
from components.sections.hero import call_to_action, hero
from components.sections.points import benefits_grid, feature, numbered_steps, reason_list, testimonials
from site_app.content.about_us import about_us as words


def about_us() -> rx.Component:
    texts = words()
    return rx.fragment(
        hero(texts),
        story(texts.story),
        feature(texts.founder, anchor="founder", class_name="feature-portrait"),
        benefits_grid(texts.values, tinted=False),
        numbered_steps(texts.process, anchor="process"),
        reason_list(texts.reasons),
        benefits_grid(texts.trust, anchor="trust", tinted=False),
        *([testimonials(texts.testimonials)] if texts.testimonials.items else []),
        call_to_action(texts.invitation),
    )
