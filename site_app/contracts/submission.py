"""The fields that every submission shares: its key, its origin and its sender. Unknown fields are refused.

A kind is the record of everything that is specific to one kind of submission.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import get_annotations
from typing import Annotated, Any

from phonenumbers import SUPPORTED_REGIONS
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, WithJsonSchema, field_validator
from pydantic_core import PydanticCustomError

from site_app.contracts.attribution import NAMES, Attribution
from site_app.contracts.fields import Company, Email, PhoneText, label
from site_app.contracts.input import one_line
from site_app.contracts.phones import Phone, parse_phone
from site_app.core.locales import BY_ID, ENGLISH

_KEY = r"^[A-Za-z0-9_-]{16,64}$"
SubmissionKey = Annotated[
    str,
    Field(
        pattern=_KEY,
        description="Created once per form, such as a UUID. A repeated submission with the same key is stored once.",
    ),
]

_MAX_HIDDEN_LENGTH = 200
_MAX_PATH_LENGTH = 300
DELIVERY_FIELDS = {"key", "token", "website_url", "language", "page", "attribution"}
# Names that a form's own field cannot have: the hidden fields of each form, columns of a stored lead and its listings, and
# computed properties of contracts.
RESERVED_NAMES = DELIVERY_FIELDS | {
    *("phone_country", "phone_e164", "phone_extension", "source_page"),
    *("id", "reference", "status", "status_reason", "created_at", "owner", "version"),
    *("kind", "name", "files", "mails", "notes", "further"),
    *("content_json", "domain", "parsed_phone"),
    *NAMES,  # columns of the export
}


def hidden_field(text: str) -> WithJsonSchema:
    """Returns the API description of a hidden field, which accepts any value.

    Visitors cannot correct a field that they cannot see, so such a field is parsed as well as possible and never refused.
    """
    return WithJsonSchema({"description": text})


def _hidden_text(value: Any) -> str:
    """Never rejects a hidden field: converts it to str and truncates it. A broken token later counts as a spam signal."""
    return "" if value is None else str(value)[:_MAX_HIDDEN_LENGTH].encode(errors="replace").decode()


def _path(value: Any) -> str:
    path = one_line(value) if isinstance(value, str) and len(value) <= _MAX_PATH_LENGTH else ""
    return path if path.startswith("/") and " " not in path else ""


def _language(value: Any) -> str:
    return value if isinstance(value, str) and value in BY_ID else ENGLISH.id


def _country(value: Any) -> str | None:
    return value if isinstance(value, str) and value in SUPPORTED_REGIONS else None


def is_key(text: str) -> bool:
    """Returns True if the text has the format of a submission key; otherwise the form creates a new key."""
    return re.fullmatch(_KEY, text) is not None


HiddenText = Annotated[str, BeforeValidator(_hidden_text)]


class Contract(BaseModel):
    """Accepts only the declared fields, each only with its exact type."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Submission(Contract):
    """The fields about the submission itself: its key, the language of the reply, the page, and the signals against spam."""

    key: SubmissionKey
    token: Annotated[HiddenText, hidden_field("The token that GET /v1.0/formToken returned when the form was opened")] = ""
    website_url: Annotated[HiddenText, hidden_field("A honeypot: people do not see it and leave it empty")] = ""
    language: Annotated[
        str,
        BeforeValidator(_language),
        hidden_field(f"Language of the reply and the mails: {', '.join(BY_ID)}; any other value means English"),
    ] = ENGLISH.id
    page: Annotated[str, BeforeValidator(_path), hidden_field("Path of the page with the form")] = ""
    attribution: Annotated[
        Attribution,
        hidden_field(
            f"Where the visitor came from, as an object or a query string of {', '.join(NAMES)}; other names are ignored"
        ),
    ] = Field(default_factory=dict)

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Raises TypeError if a form's own field has a reserved name, because it would silently be mistaken for another field."""
        if cls.__module__ == __name__:
            return
        if reserved := sorted(name for name in get_annotations(cls) if name in RESERVED_NAMES or hasattr(BaseModel, name)):
            raise TypeError(
                f"{cls.__name__} cannot have a field named {' or '.join(reserved)}: choose another name. Reserved are "
                f"{', '.join(sorted(RESERVED_NAMES))}, and the names of pydantic's methods, such as copy and json."
            )

    def content_json(self) -> str:
        """Returns the typed fields, without those about the submission itself, as JSON; equal fields give equal texts.

        Leaves out defaults and sorts the rest, because a browser may repeat a submission after a release that added or moved fields.
        """
        return json.dumps(self.model_dump(mode="json", exclude=DELIVERY_FIELDS, exclude_defaults=True), sort_keys=True)


class ContactedSubmission(Submission):
    """A sender with a mail address, and optionally a phone number."""

    email: Email
    phone_country: Annotated[
        str | None,
        BeforeValidator(_country),
        hidden_field("Two-letter code of the country by whose rules a phone number without + is read"),
    ] = None
    phone: PhoneText = ""
    company: Company = ""

    @field_validator("phone")
    @classmethod
    def _phone_is_a_number(cls, phone: str, info: ValidationInfo) -> str:
        if phone and parse_phone(phone, info.data.get("phone_country") or "") is None:
            raise PydanticCustomError("phone_malformed", "Not a phone number")
        return phone

    @property
    def domain(self) -> str:
        """The domain of the sender's mail address, in ASCII."""
        return self.email.rpartition("@")[2]

    @property
    def parsed_phone(self) -> Phone | None:
        """The phone number in parts, or None if there is none."""
        return parse_phone(self.phone, self.phone_country or "") if self.phone else None


_FILES = "attachments"


@dataclass(frozen=True)
class SubmissionKind:
    """The kind of a form: its name, the API v1.0 call that takes it, its contract, and the labels of its own fields."""

    name: str
    call: str
    contract: type[ContactedSubmission]
    labels: Mapping[str, Callable[[], str]] = field(default_factory=dict, kw_only=True)

    def label(self, name: str) -> str:
        """Returns the field's label in the current language."""
        return self.labels[name]() if name in self.labels else label(name)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The visible fields of a form of this kind, in the contract's order."""
        return tuple(name for name in self.contract.model_fields if name not in Submission.model_fields)


@dataclass(frozen=True)
class MailWords:
    """The texts of one kind's mails: the subject for the team; subject, first sentence and next steps for the sender."""

    team_subject: str
    subject: str
    opening: str
    steps: tuple[str, ...]


@dataclass(frozen=True)
class LeadKind(SubmissionKind):
    """`prefix` begins the references; `mails` receives a reference and the sender's name; `summary` is shown in the API's documentation."""

    prefix: str = field(kw_only=True)
    summary: str = field(kw_only=True)
    mails: Callable[[str, str], MailWords] = field(kw_only=True)

    @cached_property
    def own_fields(self) -> tuple[str, ...]:
        """The fields that only this kind has, without files, which are stored separately."""
        return tuple(name for name in self.fields if name not in ContactedSubmission.model_fields and name != _FILES)

    @cached_property
    def takes_files(self) -> bool:
        return _FILES in self.contract.model_fields
