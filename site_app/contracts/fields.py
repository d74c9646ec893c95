"""The field types of the contracts, each with its form control and its rule.

Also the codes of countries, currencies and time zones, and the rules for files, which a form sends ahead.
"""

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit
from zoneinfo import available_timezones

import pycountry
from babel.core import get_global
from email_validator import SPECIAL_USE_DOMAIN_NAMES, EmailNotValidError, validate_email
from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from site_app.contracts.input import Choices, Input, ManyLines, OneLine  # noqa: F401  the kinds import all types of fields here
from site_app.contracts.phones import MAX_TEXT_LENGTH
from site_app.contracts.reply import Reply
from site_app.core.business import MAX_FILE_MEGABYTES
from site_app.core.i18n import t
from site_app.core.locales import BY_ID

_ENDED_CURRENCIES = {"BGN": (2026, 1, 31)}  # the table predates Bulgaria's change to the euro
KOSOVO = "XK"  # not in ISO 3166, but people live, phone and pay there
# of files that a form may send ahead
MAX_FILES = 5
MAX_FILE_BYTES = MAX_FILE_MEGABYTES * 1024 * 1024
EXTENSIONS = ("pdf", "docx", "xlsx", "pptx", "txt", "md", "png", "jpg", "jpeg", "webp", "zip")


@cache
def country_codes() -> frozenset[str]:
    return frozenset(country.alpha_2 for country in pycountry.countries) | {KOSOVO}


@cache
def currency_codes(today: date | None = None) -> frozenset[str]:
    """Returns the currencies that are legal tender somewhere on that day, by Unicode's CLDR table."""
    day = today or date.today()  # noqa: DTZ011  a day more or less does not matter to a currency
    now = (day.year, day.month, day.day)
    return frozenset(
        code
        for uses in get_global("territory_currencies").values()
        for code, since, until, tender in uses
        if tender and (since or now) <= now <= min(until or now, _ENDED_CURRENCIES.get(code, now))
    )


@cache
def time_zones() -> frozenset[str]:
    return frozenset(name for name in available_timezones() if name != "localtime")


def _one_of(allowed: Callable[[], frozenset[str]]) -> AfterValidator:
    def check(code: str) -> str:
        if code not in allowed():
            raise PydanticCustomError("unknown_choice", "Not one of the choices")
        return code

    return AfterValidator(check)


CountryCode = Annotated[
    str, _one_of(country_codes), Input("country"), WithJsonSchema({"type": "string", "pattern": "^[A-Z]{2}$"})
]
CurrencyCode = Annotated[
    str, _one_of(currency_codes), Input("currency"), WithJsonSchema({"type": "string", "pattern": "^[A-Z]{3}$"})
]
LanguageId = Annotated[str, _one_of(lambda: frozenset(BY_ID)), WithJsonSchema({"type": "string", "enum": sorted(BY_ID)})]
TimeZone = Annotated[
    str, _one_of(time_zones), WithJsonSchema({"type": "string", "maxLength": 64, "examples": ["Europe/London"]})
]


T = TypeVar("T")
# Valid in a mail address, but mail headers decode it as an encoded word, so such an address cannot be written into one.
_ENCODED_WORD = re.compile(r"=\?.*\?=")
_JOINERS = "\u200c\u200d"  # part of some international domains
_MAX_NUMBER = 10**12
_ATTACHMENT_ID = r"^[A-Za-z0-9_-]{22}$"
_YES = ("yes", "true", "on")
_NO = ("no", "false", "")


def _email(text: str) -> str:
    if not text:
        return text  # min_length reports an empty field, where it must be filled in
    # A copied address may contain soft hyphens and zero-width spaces, which its visitor cannot see.
    if not text.isascii():
        text = "".join(sign for sign in text if sign in _JOINERS or unicodedata.category(sign) != "Cf")
    if _ENCODED_WORD.search(text):
        raise PydanticCustomError("email_malformed", "Not an email address")
    try:
        # No DNS lookup here: only the provider does one, for a valid submission (site_app/provider/outbox/mail_domains.py).
        # The mail server may not be able to send to addresses that have no ASCII form.
        address = validate_email(text, check_deliverability=False, allow_smtputf8=False)
    except EmailNotValidError:
        domain = text.rpartition("@")[2].lower().rstrip(".")
        if domain.rpartition(".")[2] in SPECIAL_USE_DOMAIN_NAMES:
            raise PydanticCustomError("email_refused", "Nobody can be reached there") from None
        raise PydanticCustomError("email_malformed", "Not an email address") from None
    return address.ascii_email or address.normalized


def is_attachment_id(text: str) -> bool:
    """Returns True if the text has the format of an id; other texts are never looked up in the database."""
    return re.fullmatch(_ATTACHMENT_ID, text) is not None


def _web_url(text: str) -> str:
    if not text:
        return text
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts = None
        host = None
    if not parts or parts.scheme not in ("http", "https") or not host or "." not in host or " " in text or parts.username:
        raise PydanticCustomError("web_address_malformed", "Not a web address")
    return text


def _day(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return date.fromisoformat(value) if re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII) else _malformed("date")
    except ValueError:
        return _malformed("date")


def _number(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return int(value) if re.fullmatch(r"-?\d{1,15}", value.strip(), re.ASCII) else _malformed("number")


def _malformed(noun: str) -> Any:
    raise PydanticCustomError(f"{noun}_malformed", "Not a {what}", {"what": noun})  # pyright: ignore[reportArgumentType]


def _yes_or_no(value: Any) -> Any:
    return value in _YES if isinstance(value, str) and value in (*_YES, *_NO) else value


def _agreed(value: bool) -> bool:
    if not value:
        raise PydanticCustomError("missing", "Has to be agreed to")
    return value


def _distinct(values: list[T]) -> list[T]:
    if len(set(values)) != len(values):
        raise PydanticCustomError("twice", "The same thing twice")
    return values


Distinct = AfterValidator(_distinct)
FullName = Annotated[OneLine, Field(min_length=2, max_length=100)]
ShortName = Annotated[OneLine, Field(min_length=1, max_length=50)]
Company = Annotated[OneLine, Field(max_length=100)]
PhoneText = Annotated[OneLine, Field(max_length=MAX_TEXT_LENGTH), Input("tel")]
Notes = Annotated[ManyLines, Field(max_length=2000)]
Email = Annotated[
    OneLine,
    Field(min_length=1, max_length=254),
    AfterValidator(_email),
    Input("email"),
    WithJsonSchema({"type": "string", "format": "email", "minLength": 1, "maxLength": 254}),
]
OptionalEmail = Annotated[
    OneLine,
    Field(max_length=254),
    AfterValidator(_email),
    Input("email"),
    WithJsonSchema({"type": "string", "maxLength": 254, "description": "A mail address, or empty"}),
]
WebAddress = Annotated[
    OneLine,
    Field(max_length=300),
    AfterValidator(_web_url),
    Input("url"),
    WithJsonSchema({"type": "string", "format": "uri", "maxLength": 300}),
]
Date = Annotated[date, BeforeValidator(_day), Input("date"), WithJsonSchema({"type": "string", "format": "date"})]
Number = Annotated[int, BeforeValidator(_number), Field(ge=-_MAX_NUMBER, le=_MAX_NUMBER), Input("number")]
YesNo = Annotated[bool, BeforeValidator(_yes_or_no), Input("tick")]
Agreed = Annotated[
    bool,
    BeforeValidator(_yes_or_no),
    AfterValidator(_agreed),
    Input("tick"),
    WithJsonSchema({"type": "boolean", "const": True}),
]
AttachmentId = Annotated[str, Field(pattern=_ATTACHMENT_ID)]
AttachmentIds = Annotated[list[AttachmentId], Field(max_length=MAX_FILES), Distinct, Input("files")]


class Attached(Reply):
    """A file that is stored for some hours, until a quote request names its id."""

    ok: bool = True
    id: str
    name: str
    size: int
    kind: str


class FileRules(Reply):
    """The rules for files uploaded before a submission. If a provider lacks this call, it takes no files and the form offers none."""

    most: int = MAX_FILES
    largest: Annotated[int, Field(description="Largest size of a file in bytes")] = MAX_FILE_BYTES
    extensions: tuple[str, ...] = EXTENSIONS


LABELS: dict[str, Callable[[], str]] = {
    "full_name": lambda: t("Full name"),
    "first_name": lambda: t("First name"),
    "last_name": lambda: t("Last name"),
    "email": lambda: t("Email address"),
    "phone": lambda: t("Phone number"),
    "company": lambda: t("Company"),
    "country": lambda: t("Country"),
    "currency": lambda: t("Currency"),
    "time_zone": lambda: t("Time zone"),
    "slot": lambda: t("Time of the call"),
    "project_information": lambda: t("Project information"),
    "additional_notes": lambda: t("Additional notes"),
    "guest_email": lambda: t("Guest’s email address"),
    "host": lambda: t("Host"),
    "call_language": lambda: t("Language of the call"),
    "attachments": lambda: t("Additional files"),
}


def label(name: str) -> str:
    """Returns the field's label, or its name for a field that only programs send."""
    return LABELS[name]() if name in LABELS else name
