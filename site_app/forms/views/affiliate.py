"""Applying to the affiliate programme, on its page."""

from dataclasses import replace

from site_app.content.affiliate_program import TERMS
from site_app.core.business import AFFILIATE_TERMS_EFFECTIVE
from site_app.core.i18n import current, href, in_english, t
from site_app.forms.views import Result, View, ViewField


def view() -> View:
    return View(
        title=t("Apply to the affiliate programme"),
        page="/company/affiliate-program",
        fields=(
            *_names(),
            ViewField("email", autocomplete="email"),
            ViewField("phone", autocomplete="tel", shares_row=True),
            ViewField("company", autocomplete="organization"),
            ViewField("company_website", autocomplete="url", shares_row=True),
            ViewField("country", autocomplete="country"),
            ViewField(
                "currency", help=t("For our information: commission is paid in the currency of the customer’s contract.")
            ),
            ViewField("additional_notes", rows=4, help=t("Who could you introduce, and how do you know them?")),
            ViewField(
                "agreed_terms_version",  # its value is the version that was agreed to
                text=t("I have read and agree to these terms:"),
                link=(in_english(t("Affiliate programme terms and conditions")), href(TERMS)),
                value=AFFILIATE_TERMS_EFFECTIVE.isoformat(),
            ),
        ),
        submit_label=t("Send application"),
        result=Result(
            t("We’ve received your application"),
            t("Thank you. We’ll reply within one working day with a time for the call."),
            (
                t("We’ll get to know each other on a call, and you can ask about the terms."),
                t("Once you’re approved, we’ll email you your referral link."),
            ),
            t("Send another application"),
        ),
    )


def _names() -> tuple[ViewField, ...]:
    """Returns given name and family name, in the order of the language."""
    first, second = ViewField("first_name", autocomplete="given-name"), ViewField("last_name", autocomplete="family-name")
    if current().family_name_first:
        first, second = second, first
    return first, replace(second, shares_row=True)
