"""What every submission shares: strictness, its key, where it came from, and who sends it."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from site_app.contracts.address import Email
from site_app.contracts.codes import CountryCode, LanguageId
from site_app.contracts.input import Input
from site_app.contracts.phones import LONGEST_TEXT, Phone, read_phone
from site_app.contracts.text import ManyLines, OneLine

FullName = Annotated[OneLine, Field(min_length=2, max_length=100)]
ShortName = Annotated[OneLine, Field(min_length=1, max_length=50)]
Company = Annotated[OneLine, Field(max_length=100)]
PhoneText = Annotated[OneLine, Field(max_length=LONGEST_TEXT), Input("tel")]
Notes = Annotated[ManyLines, Field(max_length=2000)]
Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{16,64}$", description="Made once when the form is opened: a UUID will do")]
Page = Annotated[OneLine, Field(max_length=300, pattern=r"^(/[^\s]*)?$", description="Path of the page it was sent from")]

_ABOUT_THE_SENDING = {"key", "token", "website_url", "language", "page"}


class Contract(BaseModel):
    """Takes exactly the named fields, each of exactly its type."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Submission(Contract):
    """The fields that say nothing themselves: how to answer twice, in what language, and whether a person sent it."""

    key: Key
    token: Annotated[str, Field(max_length=200, description="From GET /v1.0/formToken, when the form was opened")] = ""
    website_url: Annotated[str, Field(max_length=500, description="A trap: people do not see it and leave it empty")] = ""
    language: LanguageId = "en"
    page: Page = ""

    def words(self) -> str:
        """What was said, without the fields about the sending: the same words give the same text."""
        return self.model_dump_json(exclude=_ABOUT_THE_SENDING)


class Reachable(Submission):
    """Somebody who can be written to, and perhaps called."""

    email: Email
    phone_country: Annotated[CountryCode | None, Field(description="Whose rules a number without + follows")] = None
    phone: PhoneText = ""
    company: Company = ""

    @field_validator("phone")
    @classmethod
    def _phone_is_a_number(cls, phone: str, info: ValidationInfo) -> str:
        if phone and read_phone(phone, info.data.get("phone_country") or "") is None:
            raise PydanticCustomError("phone_malformed", "Not a phone number")
        return phone

    @property
    def domain(self) -> str:
        """Where mail to the sender goes, in ASCII."""
        return self.email.rpartition("@")[2]

    @property
    def dialled(self) -> Phone | None:
        """The phone number in parts; None when none was given."""
        return read_phone(self.phone, self.phone_country or "") if self.phone else None
