"""An application to the affiliate program."""

from typing import Annotated

from site_app.contracts.fields import CountryCode, CurrencyCode, Field, Input, Notes, ShortName, WebAddress
from site_app.contracts.kind import LeadKind, MailWords
from site_app.contracts.submission import Reachable
from site_app.core.i18n import t


class AffiliateRequest(Reachable):
    first_name: ShortName
    last_name: ShortName
    company_website: WebAddress = ""
    country: CountryCode
    currency: CurrencyCode | None = None
    additional_notes: Notes = ""
    agreed_terms_version: Annotated[
        str,
        Field(pattern=r"^[0-9A-Za-z.-]{1,20}$", description="Version of the affiliate terms that was agreed to"),
        Input("tick"),
    ]


def _mails(reference: str, name: str) -> MailWords:
    return MailWords(
        t("Affiliate application {reference} from {name}", reference=reference, name=name),
        t("We’ve received your affiliate application ({reference})", reference=reference),
        t(
            "We’ve received your application to the affiliate program. Your reference is {reference}: please quote it if you contact us.",
            reference=reference,
        ),
        (
            t("We’ll read your application and reply within one working day to arrange a short call."),
            t("Once you’re approved, you’ll get your referral link and can start promoting."),
            t("Commission is calculated and paid monthly, as set out in the terms you agreed to."),
        ),
    )


AFFILIATE = LeadKind(
    "affiliate",
    "submitAffiliateRequest",
    AffiliateRequest,
    prefix="A",
    summary="Apply to the affiliate program",
    labels={
        "company_website": lambda: t("Company website"),
        "currency": lambda: t("Preferred currency"),
        "agreed_terms_version": lambda: t("Agreement to the affiliate terms"),
    },
    mails=_mails,
)
