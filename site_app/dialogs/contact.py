"""The dialog that sends a message."""

import reflex as rx

from site_app.dialogs.dialog import DialogWords, contact_page_link, dialog, fetched_form
from site_app.forms.form import lead_form
from site_app.i18n import t
from site_app.leads.kinds.message import MESSAGE

FORMS = fetched_form("contact", lambda: lead_form(MESSAGE, place="contact-form"))


def contact_dialog() -> rx.Component:
    return dialog("contact", words=_words, forms=FORMS, fields=6)


def _words() -> DialogWords:
    lead = t("A real person reads every message and replies within one working day.")
    return DialogWords(t("Send us a message"), (rx.el.p(lead, class_name="mb-6 text-ink-soft"),), contact_page_link())
