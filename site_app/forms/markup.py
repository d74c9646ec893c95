"""The markup of a form: its fields, the honeypot, the button with the privacy link, and the result."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import reflex as rx
from reflex_components_core.core.banner import has_connection_errors

from components.art.icons import icon
from components.reliable_form import ACKNOWLEDGEMENT_TIMEOUT_MS, ReliableForm, honeypot
from components.ui.fields import FormResult, SubmitRow
from site_app.content.form_words import (
    honeypot_label,
    privacy_note,
    result_words,
    sending_words,
    submit_words,
    without_javascript,
)
from site_app.contracts.input import control
from site_app.contracts.submission import LeadKind, SubmissionKind
from site_app.core.http.paths import API
from site_app.core.i18n import current, href, sentence_separator
from site_app.core.settings import settings
from site_app.forms.fields import field_component
from site_app.forms.form import FORMS, view_of
from site_app.forms.rules import rules
from site_app.forms.views import Result, View, ViewField
from site_app.states.startup import StartupState


def lead_form(kind: LeadKind, *, form_id: str = "") -> rx.Component:
    """Returns the form of a kind with its view. `form_id` is the form's HTML id, unique on the page, because a page may contain a form twice."""
    form = reliable_form(kind, form_id=form_id or f"{kind.name}-form")
    if not any(control(kind.contract, field.name) in ("country", "currency") for field in view_of(kind).fields):
        return form
    return rx.el.div(form, on_mount=StartupState.load(current().id))  # an opened form does not wait for the startup


def form_section(kind: LeadKind) -> Callable[[], rx.Component]:
    """Returns a page section with the form of a kind under its title."""

    def section() -> rx.Component:
        return rx.el.section(
            rx.el.div(rx.el.h2(view_of(kind).title, class_name="text-3xl mb-8"), lead_form(kind), class_name="wrap band"),
            id=kind.name,
        )

    return section


def reliable_form(
    kind: SubmissionKind, *, form_id: str, panel: rx.Component | None = None, on_another: Any = None, **props: Any
) -> rx.Component:
    """Returns the fields as a form. The result shows `panel` and calls `on_another`; `props` are further props of ReliableForm."""
    view = view_of(kind)
    state = FORMS[kind.name].state
    return ReliableForm.create(
        *([] if view.page else [_without_javascript()]),
        *_fields(kind, view),
        honeypot(name="website_url", label=honeypot_label()),
        _submit_row(kind, view),
        _form_result(view.result, panel, on_another),
        name=kind.name,
        form_id=form_id,
        api=API,
        call=kind.call,
        token_call="formToken",  # noqa: S106  the name of an API call
        files_call="attachments",
        api_key=settings().api_key,
        language=current().id,
        lang_tag=current().tag,
        rules=rules(kind),
        words=sending_words(view.success_message),
        timeout_ms=ACKNOWLEDGEMENT_TIMEOUT_MS,
        socket_down=has_connection_errors,
        reply=state.reply,
        on_send=state.submit,
        **({"action": href(view.page)} if view.page else {}),
        **props,
    )


def _submit_row(kind: SubmissionKind, view: View) -> rx.Component:
    note, link = privacy_note(kind.name)
    policy = rx.el.elements.a(link, href=href("/legals/privacy-policy"))
    return SubmitRow.create(note, sentence_separator(), policy, words=submit_words(view.submit_label))


def _form_result(result: Result, panel: rx.Component | None, on_another: Any) -> rx.Component:
    return FormResult.create(
        *([panel] if panel else []),
        words=result_words(result.title, result.text, result.again_label, mail_step=result.mail_step),
        steps=list(result.steps),
        requires=result.requires,
        **({"next": asdict(result.next)} if result.next else {}),
        **({"on_another": on_another} if on_another else {}),
    )


def _fields(kind: SubmissionKind, view: View) -> list[rx.Component]:
    """Returns the fields in their order; with `optional_heading`, those that may stay empty come last, in a part that is closed at first."""
    if not view.optional_heading:
        return _rows(kind, view.fields)
    contract = kind.contract.model_fields
    required = [field for field in view.fields if contract[field.name].is_required()]
    optional_fields = [field for field in view.fields if field not in required]
    closed_part = rx.el.details(
        rx.el.summary(view.optional_heading, icon("chevron-down")),
        rx.el.div(*_rows(kind, optional_fields)),
        class_name="form-more",
    )
    return [*_rows(kind, required), closed_part]


def _rows(kind: SubmissionKind, fields: Sequence[ViewField]) -> list[rx.Component]:
    """Returns the fields in their order, each in a row of its own or beside the one before it."""
    rows: list[list[rx.Component]] = []
    for field in fields:
        if not field.shares_row:
            rows.append([])
        rows[-1].append(field_component(kind, field))
    return [row[0] if len(row) == 1 else rx.el.div(*row, class_name="field-row") for row in rows]


def _without_javascript() -> rx.Component:
    """A note above a form that cannot be sent without JavaScript, so that nobody fills it in for nothing."""
    text, link = without_javascript()
    return rx.el.noscript(
        rx.el.p(text, sentence_separator(), rx.el.elements.a(link, href=href("/contact-us")), class_name="submit-note")
    )
