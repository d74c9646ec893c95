"""An application to the affiliate programme."""

from typing import Annotated

from site_app.contracts.fields import CountryCode, CurrencyCode, Field, Input, Notes, ShortName, WebAddress
from site_app.contracts.submission import ContactedSubmission, LeadKind, MailWords
from site_app.core.i18n import t


class AffiliateRequest(ContactedSubmission):
    first_name: ShortName
    last_name: ShortName
    company_website: WebAddress = ""
    country: CountryCode
    currency: CurrencyCode | None = None
    additional_notes: Notes = ""
    agreed_terms_version: Annotated[
        str,
        Field(pattern=r"^[0-9A-Za-z.-]{1,20}$", description="Version of the affiliate terms to which the visitor agreed"),
        Input("tick"),
    ]


def _mails(reference: str, name: str) -> MailWords:
    return MailWords(
        t("Affiliate application {reference} from {name}", reference=reference, name=name),
        t("We’ve received your affiliate application ({reference})", reference=reference),
        t(
            "Someone will read your application and reply with a time for a short call. Your reference is {reference}: please mention it if you contact us.",
            reference=reference,
        ),
        (
            t("On the call, we’ll get to know each other and go through the terms."),
            t("Once you’re approved, you’ll get your referral link and can start promoting."),
            t("Commission is calculated and paid monthly, as set out in the terms you agreed to."),
        ),
    )


AFFILIATE = LeadKind(
    "affiliate",
    "submitAffiliateRequest",
    AffiliateRequest,
    prefix="A",
    summary="Apply to the affiliate programme",
    labels={
        "company_website": lambda: t("Company website"),
        "currency": lambda: t("Preferred currency"),
        "agreed_terms_version": lambda: t("Agreement to the affiliate terms"),
    },
    mails=_mails,
)
