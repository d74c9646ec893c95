"""Booking a consultation call: a time is chosen and held, then the form says who calls, and a panel confirms it."""

import reflex as rx

from components.art.art import figure
from components.booking.booking import BookedCall, Booking
from components.ui.button import button_class
from components.ui.text import direct_ways
from site_app.content.booking_words import booked_words, booking_words
from site_app.content.brand import contact_details
from site_app.forms.form import reliable_form
from site_app.forms.view import CONSULTATION
from site_app.i18n import href, t
from site_app.routes import PLAIN_BOOKING
from site_app.settings import settings

_PLACE = "consultation-form"


def consultation_form() -> rx.Component:
    """The form, which gets slot, time zone and hold from what stands around it."""
    return Booking.create(
        reliable_form(CONSULTATION, place=_PLACE, beside=("slot",), panel=BookedCall.create(words=booked_words())),
        _none_left(),
        _not_loaded(),
        id=_PLACE,
        times=href(f"{PLAIN_BOOKING}/times"),
        api_key=settings().api_key,
        words=booking_words(),
    )


def _none_left() -> rx.Component:
    ways = [detail for detail in contact_details() if detail.slug != "address"]
    return rx.el.div(
        figure("slots_none", class_name="slots-none-figure"),
        rx.el.h4(t("All times in the coming weeks are taken."), class_name="font-semibold"),
        direct_ways(ways, lead=t("Email or call us with two or three times that suit you, and we’ll find one together.")),
        class_name="slots-none grid gap-3",
    )


def _not_loaded() -> rx.Component:
    return rx.el.div(
        rx.el.p(
            t("The available times could not be loaded. Check your connection, then try again."),
            class_name="form-trouble-title",
        ),
        rx.el.button(t("Try again"), type="button", class_name=button_class("quiet")),
        plain_booking_link(),
        class_name="form-trouble",
    )


def plain_booking_link() -> rx.Component:
    """To the page that books a call without this form; the server answers it, not React Router."""
    text = t("Use the simple booking page instead")
    return rx.el.p(rx.el.elements.a(text, href=href(PLAIN_BOOKING), class_name="plain-link"), class_name="mt-4")
