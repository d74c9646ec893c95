"""Applying to the affiliate program: the form on its page."""

import reflex as rx

from components.ui.select import CheckBox
from site_app.constants import POLICIES_EFFECTIVE
from site_app.content.affiliate_program import TERMS
from site_app.contracts.affiliate import AffiliateRequest
from site_app.forms.affiliate.state import ERRAND, AffiliateState
from site_app.forms.fields import country, currency, line, lines, phone
from site_app.forms.form import Result, sure_form
from site_app.i18n import current, gap, href, t
from site_app.states.reference import ReferenceState


def affiliate_form() -> rx.Component:
    form = sure_form(
        line(AffiliateRequest, "first_name", autocomplete="given-name"),
        line(AffiliateRequest, "last_name", autocomplete="family-name"),
        line(AffiliateRequest, "email", autocomplete="email"),
        phone(AffiliateRequest),
        line(AffiliateRequest, "company", autocomplete="organization"),
        line(AffiliateRequest, "company_website", autocomplete="url"),
        country(AffiliateRequest),
        currency(AffiliateRequest),
        lines(AffiliateRequest, "additional_notes", rows=4, help=t("Whom could you introduce, and how do you know them?")),
        _agreement(),
        errand=ERRAND,
        place="affiliate-form",
        state=AffiliateState,
        send=t("Send the application"),
        result=Result(
            t("We have your application"),
            t("Thank you. We reply within one working day with a time for the call."),
            (
                t("You receive an email with this reference and a copy of what you wrote."),
                t("We get to know each other in a call and go through the terms together."),
                t("Once you are approved, your referral link arrives by email."),
            ),
            t("Send another application"),
        ),
    )
    return rx.el.div(form, on_mount=ReferenceState.load(current().id))


def _agreement() -> rx.Component:
    """Unticked; what is sent is the version agreed to."""
    return CheckBox.create(
        t("I have read and agree to these terms:"),
        gap(),
        rx.el.elements.a(t("Affiliate program terms and conditions"), href=href(TERMS)),
        name="agreed_terms_version",
        value=POLICIES_EFFECTIVE.isoformat(),
        required=True,
    )
