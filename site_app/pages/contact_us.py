"""The contact page: the form first, then the other ways to reach the agency."""

import reflex as rx

from components.sections.contact import contact_details, hours_table
from components.sections.hero import page_head
from components.sections.lists import point_lists, short_steps
from components.ui.text import way_list
from site_app.content.contact_us import contact_us_words
from site_app.contracts.kinds.message import MESSAGE
from site_app.forms.markup import lead_form


def contact_us() -> rx.Component:
    texts = contact_us_words()
    return rx.fragment(
        page_head(
            headline=texts.headline,
            intro=texts.intro,
            note=texts.availability,
            short=True,
            below=way_list(texts.direct_details(), class_name="mt-2 lg:hidden"),  # wide screens show them beside the form
        ),
        rx.el.div(
            rx.el.section(
                rx.el.h2(texts.form_heading, class_name="text-3xl lg:text-2xl"),
                rx.el.p(texts.form_intro, class_name="mt-2 mb-8 text-ink-soft"),
                lead_form(MESSAGE, form_id="contact-page-form"),
            ),
            rx.el.div(
                contact_details(texts.details, social_title=texts.social_title, social=texts.social),
                short_steps(texts.next_steps),
            ),
            class_name="wrap band form-and-details max-lg:pt-8 max-lg:pb-16",
        ),
        hours_table(texts.hours, anchor="hours"),
        point_lists(texts.call, anchor="call"),
    )
