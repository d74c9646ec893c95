"""Sending a message: what the dialog holds."""

import reflex as rx

from components.ui.direct_ways import direct_ways
from site_app.content.brand import contact_details
from site_app.i18n import t


def contact_form() -> rx.Component:
    ways = [detail for detail in contact_details() if detail.slug != "address"]
    return direct_ways(
        ways,
        lead=t("Write to us or ring us. A person reads every message, and you get an answer within one working day."),
    )
