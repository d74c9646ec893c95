"""Asking for a quote: what the dialog holds."""

import reflex as rx

from components.art.icon import path_of
from components.ui.select import MultiSelect
from site_app.content.offers import offers
from site_app.contracts.labels import label
from site_app.contracts.quote import QuoteRequest
from site_app.forms.fields import country, currency, files, line, lines, phone
from site_app.forms.form import Result, sure_form
from site_app.forms.quote.state import ERRAND, QuoteState
from site_app.i18n import current, t
from site_app.states.reference import ReferenceState


def quote_form() -> rx.Component:
    form = sure_form(
        line(QuoteRequest, "full_name", autocomplete="name"),
        line(QuoteRequest, "email", autocomplete="email"),
        phone(QuoteRequest),
        line(QuoteRequest, "company", autocomplete="organization"),
        country(QuoteRequest),
        currency(QuoteRequest),
        _services(),
        lines(
            QuoteRequest,
            "project_description",
            rows=7,
            help=t("What should be built, for whom, and by when? A few sentences are enough."),
        ),
        files(),
        lines(QuoteRequest, "additional_notes", rows=3),
        errand=ERRAND,
        place="quote-form",
        state=QuoteState,
        send=t("Request the quote"),
        result=_result(),
    )
    return rx.el.div(form, on_mount=ReferenceState.load(current().id))  # a form that is opened does not wait for the startup


def _services() -> rx.Component:
    choices = [
        {"value": slug.replace("_", "-"), "label": offer.name, "icon": path_of(offer.icon)} for slug, offer in offers().items()
    ]
    return MultiSelect.create(name="services", label=label("services"), help=t("Choose at least one."), options=choices)


def _result() -> Result:
    return Result(
        t("We have your request"),
        t("Thank you. We read it today and come back to you within one working day."),
        (
            t("You receive an email with this reference and a copy of what you wrote."),
            t("We ask what is still unclear, by email or in a short call, whichever you prefer."),
            t("You get a written quote. It is free, and yours to keep."),
        ),
        t("Request another quote"),
        next={
            "label": t("Book a free call about it"),
            "dialog": "consultation",
            "form": "consultation",
            "fields": ["full_name", "email", "phone", "phone_country", "company"],
        },
    )
