"""The dialog that sends a message."""

import reflex as rx

from site_app.dialogs.dialog import DialogWords, contact_page_link, dialog, fetched_form
from site_app.forms.contact.view import contact_form
from site_app.i18n import t

FORMS = fetched_form("contact", contact_form)


def contact_dialog() -> rx.Component:
    return dialog("contact", words=_words, forms=FORMS, fields=6)


def _words() -> DialogWords:
    lead = t("A person reads every message and answers within one working day.")
    return DialogWords(t("Write to us"), (rx.el.p(lead, class_name="mb-6 text-ink-soft"),), contact_page_link())
