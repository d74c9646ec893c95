"""A form as a plain page, of a lead or of a booking: its input, fields, key and token, attribution, and its errors after a refusal."""

import re
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request

from site_app.client import provider
from site_app.content.form_words import network_error, privacy_note
from site_app.contracts.attribution import attribution_of_query, partner_query_of
from site_app.contracts.input import attributes, choices, control
from site_app.contracts.reply import FormToken, Refused
from site_app.contracts.submission import SubmissionKind
from site_app.core.http.pages import pairs_of
from site_app.core.i18n import sentence_separator, t
from site_app.forms.views import View, ViewField

REFERENCE_PATTERN = re.compile(r"[\w.:/#-]{1,60}")
_STATUS_BY_CODE = {"too_many": 429, "call_exists": 409, "too_many_calls": 409}

TypedValues = Mapping[str, Any]  # a str, or a list for fields with several choices


async def typed_values(request: Request, kind: SubmissionKind, names: Collection[str]) -> dict[str, Any]:
    """Returns the sent values of these names: the last one of a repeated name, or all of a field with several choices."""
    pairs = await pairs_of(request)
    typed: dict[str, Any] = {name: text for name, text in pairs if name in names}
    multiple = [name for name in typed if name in kind.contract.model_fields and control(kind.contract, name) == "choices"]
    return typed | {name: [text for key, text in pairs if key == name] for name in multiple}


async def fresh_key_and_token(client_ip: str) -> dict[str, str]:
    """Returns a new key, and a form token from the provider, or "" if it has none."""
    reply = await provider().form_token(client_ip=client_ip)
    return {"key": new_key(), "token": reply.token if isinstance(reply, FormToken) else ""}


def new_key() -> str:
    return secrets.token_hex(16)


def form_values(
    kind: SubmissionKind,
    view: View,
    fields: Sequence[ViewField],
    typed: TypedValues,
    errors: Mapping[str, str],
    attribution: str,
) -> dict[str, Any]:
    """Returns the values of the template form.html that do not depend on the kind of form: its fields, errors, consent and button."""
    return {
        "fields": plain_fields(kind, fields, typed, errors),
        "errors": sorted_by_field(errors, field_names(view)),
        "consent": privacy_note(kind.name)[0] + sentence_separator(),
        "submit": view.submit_label,
        "partner_query": partner_query_of(attribution),
    }


def field_names(view: View) -> list[str]:
    return [field.name for field in view.fields]


@dataclass(frozen=True)
class PlainField:
    """`control` is one of input, lines, choice, choices and tick; `options` are the slugs and labels of a choice."""

    view: ViewField
    label: str
    value: str | list[str]
    error: str
    control: str
    required: bool
    attributes: Mapping[str, Any]
    options: Sequence[tuple[str, str]] = ()


def plain_fields(
    kind: SubmissionKind, fields: Sequence[ViewField], typed: TypedValues, errors: Mapping[str, str]
) -> list[PlainField]:
    """Returns the fields in their order; the first one with an error gets the focus."""
    plain = [_plain_field(kind, field, typed.get(field.name, ""), errors.get(field.name, "")) for field in fields]
    faulty = next((field for field in plain if field.error), None)
    return [replace(field, attributes={**field.attributes, "autofocus": ""}) if field is faulty else field for field in plain]


def sorted_by_field(errors: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Returns the errors in the order of their fields; errors without such a field come first and are shown above the fields."""
    places = {name: place for place, name in enumerate(names)}
    return dict(sorted(errors.items(), key=lambda error: places.get(error[0], -1)))


def _plain_field(kind: SubmissionKind, field: ViewField, value: str | list[str], error: str) -> PlainField:
    rules = attributes(kind.contract, field.name)
    required = bool(rules.pop("required", False))
    control_name = control(kind.contract, field.name)
    plain_control = {"country": "choice", "currency": "choice"}.get(control_name, control_name)
    if plain_control not in ("lines", "choice", "choices", "tick"):
        plain_control = "input"
        rules.setdefault("type", "text")
    if field.autocomplete:
        rules["autocomplete"] = field.autocomplete
    options = tuple(choices(kind.contract, field.name).items())
    return PlainField(field, kind.label(field.name), value, error, plain_control, required, rules, options)


def refusal_errors(refusal: Refused, names: Collection[str]) -> dict[str, str]:
    """Returns the errors of the fields that the page shows. If there are none, returns the refusal's message, under no name."""
    errors = {name: text for name, text in refusal.error.fields.items() if name in names}
    return errors or {"": refusal.error.message or press_again()}


def refusal_status(refusal: Refused) -> int:
    """Returns the status of the page: 409 if the slot of a booking is taken."""
    return 409 if "slot" in refusal.error.fields else _STATUS_BY_CODE.get(refusal.error.code, 422)


def attribution_of(request: Request) -> str:
    """Returns where the visitor came from, as a query string, by the query of this page or of the page that led here.

    Of a visitor whose browser sends Do Not Track or Global Privacy Control only `ref` is taken.
    """
    is_private = "1" in (request.headers.get("DNT"), request.headers.get("Sec-GPC"))
    of_page = attribution_of_query(request.url.query, path=request.url.path, is_private=is_private)
    return of_page or _attribution_of_referer(request, is_private=is_private)


def _attribution_of_referer(request: Request, *, is_private: bool) -> str:
    try:
        referer = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return ""
    is_own_page = referer.netloc == request.headers.get("Host")
    return attribution_of_query(referer.query, path=referer.path, is_private=is_private) if is_own_page else ""


def press_again() -> str:
    return t("{error}. Nothing you typed is lost: please press the button again.", error=network_error())
