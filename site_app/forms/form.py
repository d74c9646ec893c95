"""What all forms are made of: their fields, the honeypot, the button with its privacy link, and the result."""

from collections.abc import Callable
from typing import Any

import reflex as rx
from reflex_components_core.core.banner import has_connection_errors

from components.reliable_form import PATIENCE_MS, ReliableForm, honeypot
from components.ui.form_end import FormResult, SubmitRow
from site_app.content.form_words import (
    honeypot_label,
    privacy_note,
    result_words,
    sending_words,
    sent,
    submit_words,
    without_javascript,
)
from site_app.contracts.input import control
from site_app.forms.fields import drawn
from site_app.forms.problems import rules
from site_app.forms.state import STATES
from site_app.forms.view import Result, view_of
from site_app.i18n import current, href, sentence_separator
from site_app.leads.kind import LeadKind, SubmissionKind
from site_app.settings import settings
from site_app.states.reference import ReferenceState


def lead_form(kind: LeadKind, *, place: str = "") -> rx.Component:
    """The form of a kind by its view, at a `place` of its own: a form may be on a page twice."""
    view = view_of(kind)
    form = reliable_form(
        *[drawn(kind, one) for one in view.fields],
        kind=kind,
        place=place or f"{kind.name}-form",
        state=STATES[kind.name],
        send=view.send,
        result=view.result,
        action=href(view.page) if view.page else "",
    )
    if not any(control(kind.contract, one.name) in ("country", "currency") for one in view.fields):
        return form
    return rx.el.div(form, on_mount=ReferenceState.load(current().id))  # a form that opens does not wait for the startup


def form_section(kind: LeadKind) -> Callable[[], rx.Component]:
    """A section of a page with the form of a kind under its title."""

    def section() -> rx.Component:
        return rx.el.section(
            rx.el.div(rx.el.h2(view_of(kind).title, class_name="text-3xl mb-8"), lead_form(kind), class_name="wrap band"),
            id=kind.name,
        )

    return section


def reliable_form(
    *fields: rx.Component,
    kind: SubmissionKind,
    place: str,
    state: Any,
    send: str,
    result: Result,
    action: str = "",
    beside: tuple[str, ...] = (),
    sent: Callable[[], str] = sent,
) -> rx.Component:
    """The fields as a form; `state` delivers it, `action` is where it goes without JavaScript.

    `beside` are fields that stand around the form and show their own errors.
    """
    note, link = privacy_note()
    words = result_words(result.title, result.text, result.another)
    return ReliableForm.create(
        *([] if action else [_without_javascript()]),
        *fields,
        honeypot(name="website_url", label=honeypot_label()),
        SubmitRow.create(
            note, sentence_separator(), rx.el.elements.a(link, href=href("/legals/privacy-policy")), words=submit_words(send)
        ),
        FormResult.create(
            *([result.panel] if result.panel else []),
            words=words,
            steps=list(result.steps),
            **({"next": result.next} if result.next else {}),
        ),
        name=kind.name,
        place=place,
        api="/v1.0",
        call=kind.call,
        token_call="formToken",  # noqa: S106  the name of a call
        files_call="attachments",
        api_key=settings().api_key,
        language=current().id,
        lang_tag=current().tag,
        rules=rules(kind),
        beside=list(beside),
        words=sending_words(sent()),
        patience=PATIENCE_MS,
        socket_down=has_connection_errors,
        answer=state.answer,
        on_send=state.submit,
        **({"action": action} if action else {}),
    )


def _without_javascript() -> rx.Component:
    """Says so before anything is typed into a form that cannot be sent without JavaScript."""
    text, link = without_javascript()
    return rx.el.noscript(
        rx.el.p(text, sentence_separator(), rx.el.elements.a(link, href=href("/contact-us")), class_name="submit-note")
    )
