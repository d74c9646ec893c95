"""Sending a message: in the dialog, and on the contact page, where it works without JavaScript too."""

import reflex as rx

from site_app.contracts.message import Message
from site_app.forms.contact.state import ERRAND, ContactState
from site_app.forms.fields import line, lines, phone
from site_app.forms.form import Result, sure_form
from site_app.i18n import href, t


def contact_form() -> rx.Component:
    return _form("contact-form")


def contact_page_form() -> rx.Component:
    return _form("contact-page-form")


def _form(place: str) -> rx.Component:
    return sure_form(
        line(Message, "full_name", autocomplete="name"),
        line(Message, "email", autocomplete="email"),
        phone(Message),
        line(Message, "company", autocomplete="organization"),
        line(Message, "subject"),
        lines(Message, "message", rows=7),
        errand=ERRAND,
        place=place,
        state=ContactState,
        send=t("Send message"),
        action=href("/contact-us"),
        result=Result(
            t("We have your message"),
            t("Thank you. A person reads it and answers within one working day."),
            (
                t("You receive an email with this reference and a copy of what you wrote."),
                t("A person replies, with an answer or with the question that leads to one."),
            ),
            t("Write another message"),
        ),
    )
