"""Booking a consultation call: what the dialog holds."""

import reflex as rx

from components.ui.direct_ways import direct_ways
from site_app.content.brand import contact_details
from site_app.i18n import t


def consultation_form() -> rx.Component:
    ways = [detail for detail in contact_details() if detail.slug != "address"]
    return direct_ways(
        ways,
        lead=t(
            "Write to us or ring us with two or three times that suit you and your time zone. We confirm one of them within one working day."
        ),
    )
