"""Asking for a quote: what the dialog holds."""

import reflex as rx

from components.ui.direct_ways import direct_ways
from site_app.content.brand import contact_details
from site_app.i18n import t


def quote_form() -> rx.Component:
    ways = [detail for detail in contact_details() if detail.slug != "address"]
    return direct_ways(
        ways,
        lead=t(
            "Write to us or ring us, and say what should be built, by when, and who will use it. You get a written quote within one working day."
        ),
    )
