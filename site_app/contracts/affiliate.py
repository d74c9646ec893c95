"""submitAffiliateRequest: an application to the affiliate program."""

from typing import Annotated

from pydantic import Field

from site_app.contracts.address import WebAddress
from site_app.contracts.codes import CountryCode, CurrencyCode
from site_app.contracts.submission import Notes, Reachable, ShortName


class AffiliateRequest(Reachable):
    first_name: ShortName
    last_name: ShortName
    company_website: WebAddress = ""
    country: CountryCode
    currency: CurrencyCode | None = None
    additional_notes: Notes = ""
    agreed_terms_version: Annotated[
        str, Field(pattern=r"^[0-9A-Za-z.-]{1,20}$", description="Version of the affiliate terms that was agreed to")
    ]
