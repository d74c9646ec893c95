"""What a lead or a call says, as labelled lines in the language being written."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

from babel.numbers import format_decimal

from site_app.contracts.input import choices, control
from site_app.contracts.kind import LeadKind
from site_app.contracts.kinds import BY_NAME
from site_app.contracts.labels import label
from site_app.core.i18n import BY_ID, current, t, tc
from site_app.core.i18n.clocks import date_words
from site_app.core.i18n.names import country_name, currency_name
from site_app.provider.outbox.text import Fact

Fields = Mapping[str, Any]

_FIRST = ("reference", "full_name", "first_name", "last_name", "email", "phone", "company")
_OF_A_CALL = ("project_information", "additional_notes")
_LAST = ("attachments", "language", "source_page")


def facts_of_lead(fields: Fields) -> tuple[Fact, ...]:
    """Everything that a lead or call says: who sent it, then its kind's own fields in the contract's order, then how it was sent."""
    kind = BY_NAME.get(fields["kind"])
    return facts_of(fields, dict.fromkeys((*_FIRST, *(kind.own_fields if kind else _OF_A_CALL), *_LAST)), kind)


def facts_of(fields: Fields, names: Iterable[str], kind: LeadKind | None = None) -> tuple[Fact, ...]:
    """The named fields that say something, in this order."""
    return tuple(Fact(_label(name, kind), _written(name, fields[name], kind)) for name in names if fields.get(name))


def _label(name: str, kind: LeadKind | None) -> str:
    if name in _FURTHER_LABELS:
        return _FURTHER_LABELS[name]()
    return kind.label(name) if kind else label(name)


def _written(name: str, value: Any, kind: LeadKind | None) -> str:
    if name in _WRITTEN:
        return _WRITTEN[name](value)
    if kind is None or name not in kind.own_fields:
        return str(value)
    match control(kind.contract, name):
        case "choice" | "choices":
            words = choices(kind.contract, name)
            return "\n".join(words.get(slug, slug) for slug in ([value] if isinstance(value, str) else value))
        case "date":
            return date_words(date.fromisoformat(value))
        case "country":
            return country_name(value)
        case "currency":
            return t("{name} ({detail})", name=currency_name(value), detail=value)
    return t("Yes") if value is True else str(value)


def _files(files: list[Mapping[str, Any]]) -> str:
    return "\n".join(t("{name} ({detail})", name=one["name"], detail=_size(one["size"])) for one in files)


def _size(octets: int) -> str:
    if octets < 1_000_000:
        return t("{size} kB", size=format_decimal(max(1, round(octets / 1000)), locale=current().babel))
    return t("{size} MB", size=format_decimal(round(octets / 1_000_000, 1), locale=current().babel))


def language_title(identity: str) -> str:
    """The language by its own name; what is none stays as it is."""
    return BY_ID[identity].title if identity in BY_ID else identity


_FURTHER_LABELS = {
    "reference": lambda: t("Reference"),
    "language": lambda: tc("of a website", "Language"),
    "source_page": lambda: tc("of a website", "Page"),
}
_WRITTEN: dict[str, Callable[[Any], str]] = {"attachments": _files, "language": language_title}
