"""The dialog that books the consultation call."""

import reflex as rx

from components.art.icon import icon
from site_app.dialogs.dialog import DialogWords, dialog, fetched_form
from site_app.forms.consultation import consultation_form, plain_booking_link
from site_app.forms.view import CONSULTATION, view_of
from site_app.i18n import t
from site_app.settings import settings

FORMS = fetched_form("consultation", consultation_form, languages_last=True)


def consultation_dialog() -> rx.Component:
    return dialog("consultation", words=_words, forms=FORMS, fields=6, wide=True)


def _words() -> DialogWords:
    return DialogWords(
        view_of(CONSULTATION).title,
        (
            _fact("account-outline", t("{name}, Founder & CEO", name=settings().brand_founder)),
            _fact("video-outline", t("Web-conferencing details are given on confirmation.")),
            rx.el.div(class_name="mb-4"),
        ),
        plain_booking_link(),
    )


def _fact(name: str, text: str) -> rx.Component:
    return rx.el.p(
        icon(name, class_name="text-accent"),
        rx.el.span(text),
        class_name="flex gap-3 mb-2",
    )
