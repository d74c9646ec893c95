"""The fields of the forms, each read off its contract: what is required there is required here, with the same bounds."""

from collections.abc import Collection
from typing import Any

import reflex as rx

from components.ui.file_drop import FileDrop
from components.ui.phone_field import PhoneField
from components.ui.select import Select
from components.ui.text_field import TextArea, TextField
from site_app.content.form_words import count_words, file_words, optional, phone_words, select_words
from site_app.contracts.attachment import EXTENSIONS, LARGEST, MEGABYTES, MOST_FILES
from site_app.contracts.codes import country_codes, currency_codes
from site_app.contracts.input import attributes
from site_app.contracts.labels import label
from site_app.contracts.submission import Submission
from site_app.i18n import current, listed, t
from site_app.states.reference import ReferenceState

Contract = type[Submission]
PREFERRED_COUNTRIES = ["GB", "US", "TH", "CN"]


def line(contract: Contract, name: str, *, autocomplete: str = "", help: str = "") -> rx.Component:  # noqa: A002
    """One line of text."""
    rules = attributes(contract, name)
    bounds = {"min_length": rules.get("minlength"), "max_length": rules.get("maxlength")}
    return TextField.create(
        **_named(contract, name, help),
        type=rules.get("type", "text"),
        **{bound: value for bound, value in bounds.items() if value},
        **({"auto_complete": autocomplete} if autocomplete else {}),
    )


def lines(contract: Contract, name: str, *, rows: int = 5, help: str = "") -> rx.Component:  # noqa: A002
    """Many lines. Without a maxlength for the browser, which would cut off what is pasted: the field counts instead."""
    rules = attributes(contract, name)
    bounds = {"min_length": rules["minlength"]} if "minlength" in rules else {}
    return TextArea.create(
        **_named(contract, name, help), **bounds, max_length=rules["maxlength"], rows=rows, words=count_words()
    )


def phone(contract: Contract) -> rx.Component:
    return PhoneField.create(
        name="phone",
        label=label("phone"),
        optional=_optional(contract, "phone"),
        country_name="phone_country",
        auto_complete="tel",
        lookup_url="/v1.0/visitorCountry",
        preferred_countries=PREFERRED_COUNTRIES,
        language=current().tag,
        placeholder=t("Enter a phone number"),
        words=phone_words(),
    )


def country(contract: Contract) -> rx.Component:
    rows = ReferenceState.countries
    return choice(contract, "country", rows, kind="region", codes=country_codes(), auto_complete="country")


def currency(contract: Contract) -> rx.Component:
    return choice(contract, "currency", ReferenceState.currencies, kind="currency", codes=currency_codes())


def choice(
    contract: Contract,
    name: str,
    rows: rx.Var,
    *,
    kind: str = "",
    codes: Collection[str] = (),
    **props: Any,
) -> rx.Component:
    """One of `rows`, each a code and its name; until a server's are there the browser names the `codes` of that kind."""
    return Select.create(
        **_named(contract, name, ""),
        kind=kind,
        codes=sorted(codes),
        rows=rows,
        lang_tag=current().tag,
        words=select_words(label(name)),
        **props,
    )


def files() -> rx.Component:
    endings = listed(ending for ending in EXTENSIONS if ending != "jpeg")
    rules = t(
        "Up to {count} files of {megabytes} MB: {endings}. They leave your device only when you send the form.",
        count=MOST_FILES,
        megabytes=MEGABYTES,
        endings=endings,
    )
    return FileDrop.create(
        name="attachments",
        label=label("attachments"),
        optional=optional(),
        help=rules,
        types=list(EXTENSIONS),
        most=MOST_FILES,
        largest=LARGEST,
        words=file_words(),
    )


def _named(contract: Contract, name: str, help: str) -> dict[str, Any]:  # noqa: A002
    required = contract.model_fields[name].is_required()
    found: dict[str, Any] = {"name": name, "label": label(name), "required": required}
    if not required:
        found["optional"] = optional()
    return found | ({"help": help} if help else {})


def _optional(contract: Contract, name: str) -> str:
    return "" if contract.model_fields[name].is_required() else optional()
