"""The fields of a form as plain HTML: what its view shows, with the rules of its contract and what was typed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from site_app.contracts.input import attributes, choices, control
from site_app.contracts.kind import SubmissionKind
from site_app.forms.view import Field

Typed = Mapping[str, str | list[str]]  # a list where several may be chosen


@dataclass(frozen=True)
class PlainField:
    """`control` is one of input, lines, choice, choices and tick; `options` are a choice's slugs and words."""

    view: Field
    label: str
    value: str | list[str]
    error: str
    control: str
    required: bool
    attributes: Mapping[str, Any]
    options: Sequence[tuple[str, str]] = ()


def plain_fields(kind: SubmissionKind, fields: Sequence[Field], typed: Typed, errors: Mapping[str, str]) -> list[PlainField]:
    """These fields in their order; the first wrong one takes the focus."""
    found = [_plain_field(kind, one, typed.get(one.name, ""), errors.get(one.name, "")) for one in fields]
    wrong = next((one for one in found if one.error), None)
    return [replace(one, attributes={**one.attributes, "autofocus": ""}) if one is wrong else one for one in found]


def in_order(errors: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Errors in the order of their fields; what belongs to none of these stands above them, and comes first."""
    place = {name: at for at, name in enumerate(names)}
    return dict(sorted(errors.items(), key=lambda one: place.get(one[0], -1)))


def _plain_field(kind: SubmissionKind, field: Field, value: str | list[str], error: str) -> PlainField:
    rules = attributes(kind.contract, field.name)
    required = bool(rules.pop("required", False))
    asked = control(kind.contract, field.name)
    shown = {"country": "choice", "currency": "choice"}.get(asked, asked)
    if shown not in ("lines", "choice", "choices", "tick"):
        shown = "input"
        rules.setdefault("type", "text")
    if field.autocomplete:
        rules["autocomplete"] = field.autocomplete
    options = tuple(choices(kind.contract, field.name).items())
    return PlainField(field, kind.label(field.name), value, error, shown, required, rules, options)
