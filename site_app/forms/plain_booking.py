"""The way to the booking page that needs neither JavaScript nor this form."""

import reflex as rx

from site_app.i18n import href, t
from site_app.routes import PLAIN_BOOKING


def plain_page_link() -> rx.Component:
    """To the same errand without this dialog; a page of the server's, not of React Router's."""
    text = t("Use the simple booking page instead")
    return rx.el.p(rx.el.elements.a(text, href=href(PLAIN_BOOKING), class_name="plain-link"), class_name="mt-4")
