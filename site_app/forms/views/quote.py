"""Asking for a quote, in its dialog."""

from site_app.content.services.offers import offers
from site_app.core.i18n import t
from site_app.forms.views import NextDialog, Result, View, ViewField


def view() -> View:
    return View(
        title=t("Get a free quote"),
        fields=(
            ViewField("full_name", autocomplete="name"),
            ViewField("email", autocomplete="email", shares_row=True),
            ViewField("attachments"),
            ViewField("phone", autocomplete="tel"),
            ViewField("company", autocomplete="organization", shares_row=True),
            ViewField("country", autocomplete="country"),
            ViewField(
                "currency",
                help=t("For our information: we quote in pounds unless we agree on another currency."),
                shares_row=True,
            ),
            ViewField(
                "services",
                help=t("Choose at least one."),
                icons={offer.api_slug: offer.icon for offer in offers().values()},
            ),
            ViewField(
                "project_description",
                rows=7,
                help=t("What do you need, who is it for, and by when? A few sentences are enough."),
            ),
            ViewField("additional_notes", rows=3),
        ),
        optional_heading=t("Add files, a phone number and more (optional)"),
        submit_label=t("Send request"),
        result=Result(
            t("We’ve received your request"),
            t("Thank you. You’ll hear from us within one working day."),
            (
                t("First you’ll get questions or a first estimate, by email or on a short call, whichever you prefer."),
                t("Then you’ll get a free written quote."),
            ),
            t("Request another quote"),
            next=NextDialog(
                t("Book a free call"),
                dialog="consultation",
                form="consultation",
                fields=("full_name", "email", "phone", "phone_country", "company"),
            ),
        ),
    )
