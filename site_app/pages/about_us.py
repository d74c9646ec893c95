"""The page about the agency."""

import reflex as rx

from components.sections.article import story
from components.sections.hero import call_to_action, feature, hero
from components.sections.lists import numbered_steps, people_list, reason_list, testimonials
from components.sections.tables import result_sheet
from site_app.content.about_us import about_us_words


def about_us() -> rx.Component:
    texts = about_us_words()
    return rx.fragment(
        hero(texts, picture=result_sheet(texts.checks)),
        story(texts.story),
        feature(texts.founder, anchor="founder", class_name="feature-portrait"),
        people_list(texts.team, anchor="people"),
        reason_list(texts.values),
        numbered_steps(texts.process, anchor="process", details=texts.process_details),
        reason_list(texts.trust, anchor="trust"),
        *([testimonials(texts.testimonials)] if texts.testimonials.items else []),
        call_to_action(texts.invitation),
    )
