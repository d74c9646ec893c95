"""Sending a message: in the dialog, and on the contact page."""

from site_app.core.i18n import t
from site_app.forms.views import Result, View, ViewField


def view() -> View:
    return View(
        title=t("Your message"),
        page="/contact-us",
        fields=(
            ViewField("full_name", autocomplete="name"),
            ViewField("email", autocomplete="email"),
            ViewField("phone", autocomplete="tel"),
            ViewField("company", autocomplete="organization"),
            ViewField("subject"),
            ViewField("message", rows=7),
        ),
        submit_label=t("Send message"),
        result=Result(
            t("We’ve received your message"),
            t("Thank you. We’ll read it and reply within one working day."),
            (t("You’ll get a reply, with an answer or the question we need to ask first."),),
            t("Send another message"),
        ),
    )
