"""Quote requests."""

from functools import partial
from typing import Any

from sqlmodel import Session

from site_app.contracts.quote import QuoteRequest
from site_app.services.attachments import claim
from site_app.services.leads import Desk, keep
from site_app.store.tables import Inquiry


def request_quote(session: Session, request: QuoteRequest, desk: Desk) -> dict[str, Any]:
    """Keep the request with the files it names; they must be here and nobody else's."""

    def build(columns: dict[str, Any]) -> Inquiry:
        return Inquiry(
            kind="quote",
            full_name=request.full_name,
            country=request.country or "",
            currency=request.currency or "",
            services=list(request.services),
            project_description=request.project_description,
            additional_notes=request.additional_notes,
            **columns,
        )

    return keep(session, request, desk, letter="Q", build=build, claim=partial(claim, session, request.attachments))
