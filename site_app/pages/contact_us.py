"""The form first, then the other ways to reach the agency."""

import reflex as rx

from components.sections.contact import contact_details, hours_table
from components.sections.hero import page_head
from components.sections.points import numbered_steps, point_lists
from site_app.content.contact_us import contact_us as words
from site_app.contracts.kinds.message import MESSAGE
from site_app.forms.form import lead_form


def contact_us() -> rx.Component:
    says = words()
    return rx.fragment(
        page_head(headline=says.headline, lead=says.lead, note=says.availability, short=True),
        rx.el.div(
            rx.el.section(
                rx.el.h2(says.form_heading, class_name="text-2xl"),
                rx.el.p(says.form_lead, class_name="mt-2 mb-8 text-ink-soft"),
                lead_form(MESSAGE, place="contact-page-form"),
            ),
            contact_details(says.details, social_title=says.social_title, social=says.social, art=says.illustration),
            class_name="wrap band form-and-details",
        ),
        numbered_steps(says.next_steps),
        hours_table(says.hours, anchor="hours"),
        point_lists(says.call, anchor="call"),
    )
