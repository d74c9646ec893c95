"""A form: its fields, the honeypot, the button with the privacy link, the result; and each form's state, created from its lead kind."""

import asyncio
from collections.abc import Callable
from typing import Any

import reflex as rx
from reflex_components_core.core.banner import has_connection_errors

from components.art.icons import icon
from components.reliable_form import PATIENCE_MS, ReliableForm, honeypot
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
from site_app.contracts.kind import LeadKind, SubmissionKind
from site_app.contracts.kinds import KINDS
from site_app.core.i18n import current, href, sentence_separator
from site_app.core.settings import settings
from site_app.forms.delivery import DeliveryReply, deliver, rules
from site_app.forms.fields import field_component
from site_app.forms.view import CONSULTATION, View, view_of
from site_app.states.startup import StartupState

# Longer than the browser waits for a reply; after that it sends by HTTP and gets its own manage link.
ANSWER_KEPT_SECONDS = 20.0


class FormState(rx.State, mixin=True):
    """Stores the reply to a submission, but nothing that was typed: the draft stays in the browser, the lead goes to the provider."""

    answer: DeliveryReply | None = None


def _state(kind: SubmissionKind) -> type[rx.State]:
    async def submit(self: Any, fields: dict[str, Any], key: str, attempt: int):
        await deliver(self, kind, fields, key, attempt)
        if kind is not CONSULTATION:
            return
        # The reply contains the manage link, so it is removed as soon as the browser must have it.
        await asyncio.sleep(ANSWER_KEPT_SECONDS)
        async with self:
            if self.answer and self.answer["attempt"] == attempt:
                self.answer = None

    name = f"{kind.name.title().replace('-', '')}State"
    submit.__qualname__, submit.__module__ = f"{name}.submit", __name__
    namespace = {"__module__": __name__, "__qualname__": name, "submit": rx.event(background=True)(submit)}
    return type(name, (FormState, rx.State), namespace)


STATES: dict[str, Any] = {kind.name: _state(kind) for kind in (*KINDS, CONSULTATION)}
globals().update({state.__name__: state for state in STATES.values()})  # unpickling a state from Redis finds its class by name


def lead_form(kind: LeadKind, *, place: str = "") -> rx.Component:
    """Returns the form of a kind with its view. `place` must be unique on the page, because a page may contain a form twice."""
    form = reliable_form(kind, place=place or f"{kind.name}-form")
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
    kind: SubmissionKind, *, place: str, panel: rx.Component | None = None, on_another: Any = None, **props: Any
) -> rx.Component:
    """Returns the fields as a form. The result shows `panel` and calls `on_another`; `props` are further props of ReliableForm."""
    view, state = view_of(kind), STATES[kind.name]
    result, (note, link) = view.result, privacy_note(kind.name)
    return ReliableForm.create(
        *([] if view.page else [_without_javascript()]),
        *_fields(kind, view),
        honeypot(name="website_url", label=honeypot_label()),
        SubmitRow.create(
            note,
            sentence_separator(),
            rx.el.elements.a(link, href=href("/legals/privacy-policy")),
            words=submit_words(view.send),
        ),
        FormResult.create(
            *([panel] if panel else []),
            words=result_words(result.title, result.text, result.another, mailed=result.mailed),
            steps=list(result.steps),
            needs=result.needs,
            **({"next": result.next} if result.next else {}),
            **({"on_another": on_another} if on_another else {}),
        ),
        name=kind.name,
        place=place,
        api="/v1.0",
        call=kind.call,
        token_call="formToken",  # noqa: S106  the name of an API call
        files_call="attachments",
        api_key=settings().api_key,
        language=current().id,
        lang_tag=current().tag,
        rules=rules(kind),
        words=sending_words(view.sent),
        patience=PATIENCE_MS,
        socket_down=has_connection_errors,
        answer=state.answer,
        on_send=state.submit,
        **({"action": href(view.page)} if view.page else {}),
        **props,
    )


def _fields(kind: SubmissionKind, view: View) -> list[rx.Component]:
    """Returns the fields in their order; with `optional_heading`, in two columns, the second of which ends with those that may stay empty."""
    if not view.optional_heading:
        return [field_component(kind, field) for field in view.fields]
    contract = kind.contract.model_fields
    required = [field for field in view.fields if contract[field.name].is_required()]
    optional_fields = [field_component(kind, field) for field in view.fields if field not in required]
    first, second = (
        [field_component(kind, field) for field in required if (field.name in view.second_column) is is_second]
        for is_second in (False, True)
    )
    closed_part = rx.el.details(
        rx.el.summary(view.optional_heading, icon("plus")), rx.el.div(*optional_fields), class_name="form-more"
    )
    return [rx.el.div(rx.el.div(*first), rx.el.div(*second, closed_part), class_name="form-columns")]


def _without_javascript() -> rx.Component:
    """A note above a form that cannot be sent without JavaScript, so that nobody fills it in for nothing."""
    text, link = without_javascript()
    return rx.el.noscript(
        rx.el.p(text, sentence_separator(), rx.el.elements.a(link, href=href("/contact-us")), class_name="submit-note")
    )
