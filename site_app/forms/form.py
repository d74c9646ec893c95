"""A form: its fields, the honeypot, the button with the privacy link, the result; and each form's state, created from its lead kind.

The contract decides the control and the bounds of each field.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import reflex as rx
from reflex_components_core.core.banner import has_connection_errors

from components.art.icons import icon, path_of
from components.reliable_form import ACKNOWLEDGEMENT_TIMEOUT_MS, ReliableForm, honeypot
from components.ui.fields import CheckBox, FileDrop, FormResult, MultiSelect, PhoneField, Select, SubmitRow, TextArea, TextField
from site_app.content.form_words import (
    file_words,
    honeypot_label,
    optional,
    phone_words,
    privacy_note,
    result_words,
    select_words,
    sending_words,
    submit_words,
    without_javascript,
)
from site_app.contracts.fields import EXTENSIONS, MAX_FILE_BYTES, MAX_FILES, country_codes, currency_codes
from site_app.contracts.input import attributes, choices, control
from site_app.contracts.kinds import LEAD_KINDS
from site_app.contracts.submission import LeadKind, SubmissionKind
from site_app.core.business import MAX_FILE_MEGABYTES
from site_app.core.i18n import ENGLISH, LOCALES, current, href, listed, sentence_separator, t
from site_app.core.settings import settings
from site_app.forms.delivery import DeliveryReply, deliver, rules
from site_app.forms.views import CONSULTATION, Field, View, view_of
from site_app.states.startup import StartupState

_COUNTRIES_ON_TOP = [ENGLISH.country, "US", *(locale.country for locale in LOCALES if locale is not ENGLISH)]
_CURRENCIES_ON_TOP = ["GBP", "USD", "EUR", "THB", "CNY"]
_BOUNDS = {"minlength": "min_length", "maxlength": "max_length", "min": "min", "max": "max"}


def field_component(kind: SubmissionKind, field: Field) -> rx.Component:
    """Returns the field with the control that its contract names."""
    return _FIELD_COMPONENTS.get(control(kind.contract, field.name), _line)(kind, field)


def _line(kind: SubmissionKind, field: Field) -> rx.Component:
    """A single-line input of the field's type, by default text."""
    html_attributes = attributes(kind.contract, field.name)
    bounds = {own_name: html_attributes[html_name] for html_name, own_name in _BOUNDS.items() if html_name in html_attributes}
    return TextField.create(**_common_props(kind, field), type=html_attributes.get("type", "text"), **bounds)


def _lines(kind: SubmissionKind, field: Field) -> rx.Component:
    """A text area. Has no maxlength, because the browser would cut off pasted text; the form reports the length on blur instead."""
    html_attributes = attributes(kind.contract, field.name)
    bounds = {"min_length": html_attributes["minlength"]} if "minlength" in html_attributes else {}
    return TextArea.create(**_common_props(kind, field), **bounds, rows=field.rows)


def _phone(kind: SubmissionKind, field: Field) -> rx.Component:
    return PhoneField.create(
        name=field.name,
        label=kind.label(field.name),
        optional="" if kind.contract.model_fields[field.name].is_required() else optional(),
        country_name="phone_country",
        auto_complete="tel",
        lookup_url="/v1.0/visitorCountry",
        # English is read everywhere, so for English the visitor's address decides, if it can.
        default_country="" if current() is ENGLISH else current().country,
        preferred_countries=countries_on_top(),
        language=current().tag,
        placeholder=t("Enter a phone number"),
        words=phone_words(),
    )


def _country(kind: SubmissionKind, field: Field) -> rx.Component:
    codes = sorted(country_codes())
    first = countries_on_top()
    return _select(kind, field, rows=StartupState.countries, code_kind="region", codes=codes, first=first)


def _currency(kind: SubmissionKind, field: Field) -> rx.Component:
    codes = sorted(currency_codes())
    first = _CURRENCIES_ON_TOP
    return _select(kind, field, rows=StartupState.currencies, code_kind="currency", codes=codes, first=first)


def countries_on_top() -> list[str]:
    """Returns the country of the page's language, then the most common countries of visitors."""
    return sorted(_COUNTRIES_ON_TOP, key=lambda code: code != current().country)


def _choice(kind: SubmissionKind, field: Field) -> rx.Component:
    return _select(kind, field, rows=list(choices(kind.contract, field.name).items()), codes=[])


def _select(
    kind: SubmissionKind, field: Field, *, rows: Any, codes: list[str], code_kind: str = "", first: Sequence[str] = ()
) -> rx.Component:
    """A select of `rows`, each a code and its name. Until the server's rows arrive, the browser names the `codes` of that kind."""
    return Select.create(
        **_common_props(kind, field),
        kind=code_kind,
        codes=codes,
        first=list(first),
        rows=rows,
        lang_tag=current().tag,
        words=select_words(kind.label(field.name)),
    )


def _choices(kind: SubmissionKind, field: Field) -> rx.Component:
    options = [
        {"value": slug, "label": words} | ({"icon": path_of(field.icons[slug])} if slug in field.icons else {})
        for slug, words in choices(kind.contract, field.name).items()
    ]
    help_prop = {"help": field.help} if field.help else {}
    return MultiSelect.create(name=field.name, label=kind.label(field.name), options=options, **help_prop)


def _tick(kind: SubmissionKind, field: Field) -> rx.Component:
    link, address = field.link
    return CheckBox.create(
        field.text or kind.label(field.name),
        *([sentence_separator(), rx.el.elements.a(link, href=address)] if link else []),
        name=field.name,
        value=field.value,
        required=kind.contract.model_fields[field.name].is_required(),
    )


def _files(kind: SubmissionKind, field: Field) -> rx.Component:
    endings = listed(ending for ending in EXTENSIONS if ending != "jpeg")
    help_text = t(
        "Up to {count} files, {megabytes} MB each: {endings}. They leave your device only when you send the form.",
        count=MAX_FILES,
        megabytes=MAX_FILE_MEGABYTES,
        endings=endings,
    )
    return FileDrop.create(
        name=field.name,
        label=kind.label(field.name),
        optional=optional(),
        help=help_text,
        types=list(EXTENSIONS),
        max_files=MAX_FILES,
        max_bytes=MAX_FILE_BYTES,
        words=file_words(),
    )


_FIELD_COMPONENTS: dict[str, Callable[[SubmissionKind, Field], rx.Component]] = {
    "lines": _lines,
    "tel": _phone,
    "country": _country,
    "currency": _currency,
    "choice": _choice,
    "choices": _choices,
    "tick": _tick,
    "files": _files,
}


def _common_props(kind: SubmissionKind, field: Field) -> dict[str, Any]:
    required = kind.contract.model_fields[field.name].is_required()
    props: dict[str, Any] = {"name": field.name, "label": kind.label(field.name), "required": required}
    if not required:
        props["optional"] = optional()
    if field.autocomplete:
        props["auto_complete"] = field.autocomplete
    return props | ({"help": field.help} if field.help else {})


# Longer than the browser waits for a reply; after that it sends by HTTP and gets its own manage link.
REPLY_KEPT_SECONDS = 20.0


class FormState(rx.State, mixin=True):
    """Stores the reply to a submission, but nothing that was typed: the draft stays in the browser, the lead goes to the provider."""

    reply: DeliveryReply | None = None


def _state(kind: SubmissionKind) -> type[rx.State]:
    async def submit(self: Any, fields: dict[str, Any], key: str, attempt: int):
        await deliver(self, kind, fields, key, attempt)
        if kind is not CONSULTATION:
            return
        # The reply contains the manage link, so it is removed as soon as the browser must have it.
        await asyncio.sleep(REPLY_KEPT_SECONDS)
        async with self:
            if self.reply and self.reply["attempt"] == attempt:
                self.reply = None

    name = f"{kind.name.title().replace('-', '')}State"
    submit.__qualname__ = f"{name}.submit"
    submit.__module__ = __name__
    namespace = {"__module__": __name__, "__qualname__": name, "submit": rx.event(background=True)(submit)}
    return type(name, (FormState, rx.State), namespace)


STATES: dict[str, Any] = {kind.name: _state(kind) for kind in (*LEAD_KINDS, CONSULTATION)}
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
    view = view_of(kind)
    state = STATES[kind.name]
    result = view.result
    note, link = privacy_note(kind.name)
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
        timeout_ms=ACKNOWLEDGEMENT_TIMEOUT_MS,
        socket_down=has_connection_errors,
        reply=state.reply,
        on_send=state.submit,
        **({"action": href(view.page)} if view.page else {}),
        **props,
    )


def _fields(kind: SubmissionKind, view: View) -> list[rx.Component]:
    """Returns the fields in their order; with `optional_heading`, those that may stay empty come last, in a part that is closed at first."""
    if not view.optional_heading:
        return _rows(kind, view.fields)
    contract = kind.contract.model_fields
    required = [field for field in view.fields if contract[field.name].is_required()]
    optional_fields = [field for field in view.fields if field not in required]
    closed_part = rx.el.details(
        rx.el.summary(view.optional_heading, icon("plus")), rx.el.div(*_rows(kind, optional_fields)), class_name="form-more"
    )
    return [*_rows(kind, required), closed_part]


def _rows(kind: SubmissionKind, fields: Sequence[Field]) -> list[rx.Component]:
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
