"""The fields of a form: the contract decides each one's control and bounds."""

from collections.abc import Callable, Sequence
from typing import Any

import reflex as rx

from components.art.icons import path_of
from components.ui.fields import CheckBox, FileDrop, MultiSelect, PhoneField, Select, TextArea, TextField
from site_app.content.form_words import file_words, optional_label, phone_words, select_words
from site_app.contracts.fields import EXTENSIONS, MAX_FILE_BYTES, MAX_FILES, country_codes, currency_codes
from site_app.contracts.input import attributes, choices, control
from site_app.contracts.submission import SubmissionKind
from site_app.core.business import MAX_FILE_MEGABYTES
from site_app.core.http.paths import API
from site_app.core.i18n import current, join_list, sentence_separator, t
from site_app.core.locales import ENGLISH, LOCALES
from site_app.forms.views import ViewField
from site_app.states.startup import StartupState

_COUNTRIES_ON_TOP = [ENGLISH.country, "US", *(locale.country for locale in LOCALES if locale is not ENGLISH)]
_CURRENCIES_ON_TOP = ["GBP", "USD", "EUR", "THB", "CNY"]
_BOUNDS = {"minlength": "min_length", "maxlength": "max_length", "min": "min", "max": "max"}


def field_component(kind: SubmissionKind, field: ViewField) -> rx.Component:
    """Returns the field with the control that its contract names."""
    return _FIELD_COMPONENTS.get(control(kind.contract, field.name), _line)(kind, field)


def _line(kind: SubmissionKind, field: ViewField) -> rx.Component:
    """A single-line input of the field's type, by default text."""
    html_attributes = attributes(kind.contract, field.name)
    bounds = {own_name: html_attributes[html_name] for html_name, own_name in _BOUNDS.items() if html_name in html_attributes}
    return TextField.create(**_common_props(kind, field), type=html_attributes.get("type", "text"), **bounds)


def _lines(kind: SubmissionKind, field: ViewField) -> rx.Component:
    """A text area. Has no maxlength, because the browser would cut off pasted text; the form reports the length on blur instead."""
    html_attributes = attributes(kind.contract, field.name)
    bounds = {"min_length": html_attributes["minlength"]} if "minlength" in html_attributes else {}
    return TextArea.create(**_common_props(kind, field), **bounds, rows=field.rows)


def _phone(kind: SubmissionKind, field: ViewField) -> rx.Component:
    return PhoneField.create(
        name=field.name,
        label=kind.label(field.name),
        optional="" if kind.contract.model_fields[field.name].is_required() else optional_label(),
        country_name="phone_country",
        auto_complete="tel",
        lookup_url=f"{API}/visitorCountry",
        # English is read everywhere, so for English the visitor's address decides, if it can.
        default_country="" if current() is ENGLISH else current().country,
        preferred_countries=countries_on_top(),
        language=current().tag,
        placeholder=t("Enter a phone number"),
        words=phone_words(),
    )


def _country(kind: SubmissionKind, field: ViewField) -> rx.Component:
    codes = sorted(country_codes())
    first = countries_on_top()
    return _select(kind, field, rows=StartupState.countries, code_kind="region", codes=codes, first=first)


def _currency(kind: SubmissionKind, field: ViewField) -> rx.Component:
    codes = sorted(currency_codes())
    first = _CURRENCIES_ON_TOP
    return _select(kind, field, rows=StartupState.currencies, code_kind="currency", codes=codes, first=first)


def countries_on_top() -> list[str]:
    """Returns the country of the page's language, then the most common countries of visitors."""
    return sorted(_COUNTRIES_ON_TOP, key=lambda code: code != current().country)


def _choice(kind: SubmissionKind, field: ViewField) -> rx.Component:
    return _select(kind, field, rows=list(choices(kind.contract, field.name).items()), codes=[])


def _select(
    kind: SubmissionKind, field: ViewField, *, rows: Any, codes: list[str], code_kind: str = "", first: Sequence[str] = ()
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


def _choices(kind: SubmissionKind, field: ViewField) -> rx.Component:
    options = [
        {"value": slug, "label": words} | ({"icon": path_of(field.icons[slug])} if slug in field.icons else {})
        for slug, words in choices(kind.contract, field.name).items()
    ]
    help_prop = {"help": field.help} if field.help else {}
    return MultiSelect.create(name=field.name, label=kind.label(field.name), options=options, **help_prop)


def _tick(kind: SubmissionKind, field: ViewField) -> rx.Component:
    link, path = field.link
    return CheckBox.create(
        field.text or kind.label(field.name),
        *([sentence_separator(), rx.el.elements.a(link, href=path)] if link else []),
        name=field.name,
        value=field.value,
        required=kind.contract.model_fields[field.name].is_required(),
    )


def _files(kind: SubmissionKind, field: ViewField) -> rx.Component:
    endings = join_list(ending for ending in EXTENSIONS if ending != "jpeg")
    help_text = t(
        "Up to {count} files, {megabytes} MB each: {endings}. They leave your device only when you send the form.",
        count=MAX_FILES,
        megabytes=MAX_FILE_MEGABYTES,
        endings=endings,
    )
    return FileDrop.create(
        name=field.name,
        label=kind.label(field.name),
        optional=optional_label(),
        help=help_text,
        types=list(EXTENSIONS),
        max_files=MAX_FILES,
        max_bytes=MAX_FILE_BYTES,
        words=file_words(),
    )


_FIELD_COMPONENTS: dict[str, Callable[[SubmissionKind, ViewField], rx.Component]] = {
    "lines": _lines,
    "tel": _phone,
    "country": _country,
    "currency": _currency,
    "choice": _choice,
    "choices": _choices,
    "tick": _tick,
    "files": _files,
}


def _common_props(kind: SubmissionKind, field: ViewField) -> dict[str, Any]:
    required = kind.contract.model_fields[field.name].is_required()
    props: dict[str, Any] = {"name": field.name, "label": kind.label(field.name), "required": required}
    if not required:
        props["optional"] = optional_label()
    if field.autocomplete:
        props["auto_complete"] = field.autocomplete
    return props | ({"help": field.help} if field.help else {})
