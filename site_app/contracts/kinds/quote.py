"""A request for a quote: the project of a prospective client."""

from typing import Annotated

from site_app.contracts.fields import (
    AttachmentIds,
    Choices,
    CountryCode,
    CurrencyCode,
    Distinct,
    Field,
    FullName,
    ManyLines,
    Notes,
)
from site_app.contracts.submission import ContactedSubmission, LeadKind, MailWords
from site_app.core.i18n import t
from site_app.core.service_table import SERVICE_TABLE

SERVICE_NAMES = {service.api_slug: service.name for service in SERVICE_TABLE}


class QuoteRequest(ContactedSubmission):
    full_name: FullName
    country: CountryCode | None = None
    currency: CurrencyCode | None = None
    services: Annotated[list[str], Choices(SERVICE_NAMES), Distinct, Field(min_length=1, max_length=len(SERVICE_NAMES))]
    project_description: Annotated[ManyLines, Field(min_length=20, max_length=5000)]
    attachments: AttachmentIds = Field(default_factory=list)
    additional_notes: Notes = ""


def _mails(reference: str, name: str) -> MailWords:
    return MailWords(
        t("Quote request {reference} from {name}", reference=reference, name=name),
        t("We’ve received your quote request ({reference})", reference=reference),
        t(
            "One of us will read your description and any files. Your reference is {reference}: please mention it if you contact us.",
            reference=reference,
        ),
        (
            t("First you’ll get questions or a first estimate."),
            t("Then you’ll get a written quote with scope, price and timeline, without obligation."),
        ),
    )


QUOTE = LeadKind(
    "quote",
    "requestQuote",
    QuoteRequest,
    prefix="Q",
    summary="Request a quote",
    labels={"services": lambda: t("Services"), "project_description": lambda: t("Project description")},
    mails=_mails,
)
