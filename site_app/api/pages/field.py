"""Fields of a plain form, with the rules their contract has and what was typed into them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from site_app.contracts.input import attributes
from site_app.contracts.labels import label

_AUTOCOMPLETE = {"full_name": "name", "email": "email", "phone": "tel", "company": "organization"}
_LONG = {"message", "project_information", "additional_notes"}


@dataclass(frozen=True)
class Field:
    name: str
    label: str
    value: str
    error: str
    long: bool
    required: bool
    attributes: Mapping[str, Any]
    hint: str = ""


def fields_of(
    contract: type[BaseModel],
    names: tuple[str, ...],
    values: Mapping[str, str],
    errors: Mapping[str, str],
    hints: Mapping[str, str] | None = None,
) -> list[Field]:
    """The named fields of a contract in this order; the first wrong one takes the focus."""
    found = [_field(contract, name, values.get(name, ""), errors.get(name, ""), (hints or {}).get(name, "")) for name in names]
    wrong = next((one for one in found if one.error), None)
    return [replace(one, attributes={**one.attributes, "autofocus": ""}) if one is wrong else one for one in found]


def in_order(errors: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    """Faults in the order of their fields; what belongs to none of these stands above them, and comes first."""
    place = {name: at for at, name in enumerate(names)}
    return dict(sorted(errors.items(), key=lambda one: place.get(one[0], -1)))


def _field(contract: type[BaseModel], name: str, value: str, error: str, hint: str) -> Field:
    rules = attributes(contract, name)
    required = bool(rules.pop("required", False))
    if name in _LONG:
        rules.pop("type", None)
    else:
        rules.setdefault("type", "text")
    if name in _AUTOCOMPLETE:
        rules["autocomplete"] = _AUTOCOMPLETE[name]
    return Field(name, label(name), value, error, name in _LONG, required, rules, hint)
