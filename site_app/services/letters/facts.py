"""What a lead or a call says, as labelled lines in the language being written."""

from collections.abc import Callable, Mapping
from typing import Any

from babel.numbers import format_decimal, get_currency_name

from site_app.contracts.labels import label
from site_app.i18n import BY_ID, t, tc
from site_app.services.letters.letter import Fact
from site_app.services.letters.local import cldr

Fields = Mapping[str, Any]

ORDER = (
    "reference",
    "full_name",
    "first_name",
    "last_name",
    "email",
    "phone",
    "company",
    "company_website",
    "country",
    "currency",
    "services",
    "subject",
    "message",
    "project_description",
    "project_information",
    "additional_notes",
    "attachments",
    "agreed_terms_version",
    "language",
    "source_page",
)


def facts_of(fields: Fields) -> tuple[Fact, ...]:
    """Every field that says something, in the order a reader wants them."""
    return tuple(Fact(_label(name), _WRITTEN.get(name, str)(fields[name])) for name in ORDER if fields.get(name))


def _label(name: str) -> str:
    return _FURTHER_LABELS[name]() if name in _FURTHER_LABELS else label(name)


def _country(code: str) -> str:
    return cldr().territories.get(code, code)


def _currency(code: str) -> str:
    return f"{get_currency_name(code, locale=cldr())} ({code})"


def _services(slugs: list[str]) -> str:
    return "\n".join(_SERVICES[slug]() if slug in _SERVICES else slug for slug in slugs)


def _files(files: list[Mapping[str, Any]]) -> str:
    return "\n".join(f"{one['name']} ({_size(one['size'])})" for one in files)


def _size(octets: int) -> str:
    if octets < 1_000_000:
        return t("{size} kB", size=format_decimal(max(1, round(octets / 1000)), locale=cldr()))
    return t("{size} MB", size=format_decimal(round(octets / 1_000_000, 1), locale=cldr()))


def _language(identity: str) -> str:
    return BY_ID[identity].title if identity in BY_ID else identity


_FURTHER_LABELS = {
    "reference": lambda: t("Reference"),
    "language": lambda: tc("of a website", "Language"),
    "source_page": lambda: tc("of a website", "Page"),
}
_WRITTEN: dict[str, Callable[[Any], str]] = {
    "country": _country,
    "currency": _currency,
    "services": _services,
    "attachments": _files,
    "language": _language,
}
_SERVICES: dict[str, Callable[[], str]] = {
    "web-development": lambda: t("Web development"),
    "mobile-development": lambda: t("Mobile development"),
    "software-maintenance": lambda: t("Software maintenance and enhancement"),
    "blockchain-development": lambda: t("Blockchain development"),
    "ai-and-deep-learning": lambda: t("AI and deep learning"),
    "digital-marketing": lambda: t("Digital marketing"),
    "brand-creation": lambda: t("Brand creation"),
}
