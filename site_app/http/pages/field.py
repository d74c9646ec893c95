"""Fields of a plain form, with the rules their contract has and what was typed into them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from site_app.contracts.input import attributes, choices, control
from site_app.contracts.labels import label

_AUTOCOMPLETE = {"full_name": "name", "email": "email", "phone": "tel", "company": "organization"}
Typed = Mapping[str, str | list[str]]  # a list where several may be chosen


@dataclass(frozen=True)
class Field:
    """`control` is one of input, lines, choice, choices and tick; `options` are a choice's slugs and words.

    A box to tick says `says` and a link of text and address, and sends `ticked`.
    """

    name: str
    label: str
    value: str | list[str]
    error: str
    control: str
    required: bool
    attributes: Mapping[str, Any]
    hint: str = ""
    options: Sequence[tuple[str, str]] = ()
    says: str = ""
    link: tuple[str, str] = ("", "")
    ticked: str = "yes"


def fields_of(
    contract: type[BaseModel],
    names: Sequence[str],
    values: Typed,
    errors: Mapping[str, str],
    hints: Mapping[str, str] | None = None,
    label: Callable[[str], str] = label,
) -> list[Field]:
    """The named fields of a contract in this order; the first wrong one takes the focus."""
    found = [
        _field(contract, name, values.get(name, ""), errors.get(name, ""), (hints or {}).get(name, ""), label) for name in names
    ]
    wrong = next((one for one in found if one.error), None)
    return [replace(one, attributes={**one.attributes, "autofocus": ""}) if one is wrong else one for one in found]


def in_order(errors: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Faults in the order of their fields; what belongs to none of these stands above them, and comes first."""
    place = {name: at for at, name in enumerate(names)}
    return dict(sorted(errors.items(), key=lambda one: place.get(one[0], -1)))


def _field(
    contract: type[BaseModel], name: str, value: str | list[str], error: str, hint: str, label: Callable[[str], str]
) -> Field:
    rules = attributes(contract, name)
    required = bool(rules.pop("required", False))
    kind = {"country": "choice", "currency": "choice"}.get(asked := control(contract, name), asked)
    if kind not in ("lines", "choice", "choices", "tick"):
        kind = "input"
        rules.setdefault("type", "text")
    if name in _AUTOCOMPLETE:
        rules["autocomplete"] = _AUTOCOMPLETE[name]
    options = tuple(choices(contract, name).items())
    return Field(name, label(name), value, error, kind, required, rules, hint, options)
