"""requestQuote: what a prospect wants built."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from site_app.contracts.attachment import AttachmentIds
from site_app.contracts.codes import CountryCode, CurrencyCode
from site_app.contracts.lists import distinct
from site_app.contracts.submission import FullName, Notes, Reachable
from site_app.contracts.text import ManyLines

Service = Literal[
    "web-development",
    "mobile-development",
    "software-maintenance",
    "blockchain-development",
    "ai-and-deep-learning",
    "digital-marketing",
    "brand-creation",
]
Services = Annotated[list[Service], Field(min_length=1, max_length=7), AfterValidator(distinct)]


class QuoteRequest(Reachable):
    full_name: FullName
    country: CountryCode | None = None
    currency: CurrencyCode | None = None
    services: Services
    project_description: Annotated[ManyLines, Field(min_length=20, max_length=5000)]
    attachments: AttachmentIds = Field(default_factory=list)
    additional_notes: Notes = ""
