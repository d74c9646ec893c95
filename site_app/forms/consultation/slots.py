"""The part of the form in which the time is chosen and held, and the panel that confirms the call."""

import reflex as rx

from components.art.art import figure
from components.booking.booking import Booking
from components.ui.button import button_class
from components.ui.direct_ways import direct_ways
from site_app.content.booking_words import booking_words
from site_app.content.brand import contact_details
from site_app.forms.plain_booking import plain_page_link
from site_app.i18n import href, t
from site_app.routes import PLAIN_BOOKING
from site_app.settings import settings


def with_time(form: rx.Component, *, place: str) -> rx.Component:
    """The form at `place`, after a time has been chosen for it."""
    return Booking.create(
        form,
        _none_left(),
        _not_loaded(),
        id=place,
        times=href(f"{PLAIN_BOOKING}/times"),
        api_key=settings().api_key,
        words=booking_words(),
    )


def _none_left() -> rx.Component:
    ways = [detail for detail in contact_details() if detail.slug != "address"]
    return rx.el.div(
        figure("slots_none", class_name="slots-none-figure"),
        rx.el.h4(t("All times in the coming weeks are taken."), class_name="slots-none-title"),
        direct_ways(ways, lead=t("Email or call us with two or three times that suit you, and we’ll find one together.")),
        class_name="slots-none",
    )


def _not_loaded() -> rx.Component:
    return rx.el.div(
        rx.el.p(
            t("The available times could not be loaded. Check your connection, then try again."),
            class_name="form-trouble-title",
        ),
        rx.el.button(t("Try again"), type="button", class_name=button_class("quiet")),
        plain_page_link(),
        class_name="form-trouble",
    )
