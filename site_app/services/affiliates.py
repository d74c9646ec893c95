"""Applications to the affiliate program."""

from typing import Any

from sqlmodel import Session

from site_app.contracts.affiliate import AffiliateRequest
from site_app.services.leads import Desk, keep
from site_app.store.tables import Affiliate


def accept_application(session: Session, request: AffiliateRequest, desk: Desk) -> dict[str, Any]:
    """Keep the application with the version of the terms that was agreed to."""

    def build(columns: dict[str, Any]) -> Affiliate:
        return Affiliate(
            first_name=request.first_name,
            last_name=request.last_name,
            company_website=request.company_website,
            country=request.country,
            currency=request.currency or "",
            additional_notes=request.additional_notes,
            agreed_terms_version=request.agreed_terms_version,
            **columns,
        )

    return keep(session, request, desk, letter="A", build=build)
