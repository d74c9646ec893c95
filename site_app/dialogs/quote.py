"""The dialog that asks for a quote."""

import reflex as rx

from site_app.dialogs.dialog import DialogWords, contact_page_link, dialog, fetched_form
from site_app.forms.form import lead_form
from site_app.i18n import t
from site_app.leads.kinds.quote import QUOTE

FORMS = fetched_form("quote", lambda: lead_form(QUOTE))


def quote_dialog() -> rx.Component:
    return dialog("quote", words=_words, forms=FORMS, fields=8)


def _words() -> DialogWords:
    lead = t("Tell us what you have in mind. The quote is free, in writing, and commits you to nothing.")
    return DialogWords(t("Get a free quote"), (rx.el.p(lead, class_name="mb-6 text-ink-soft"),), contact_page_link())
