"""Messages."""

from typing import Any

from sqlmodel import Session

from site_app.contracts.message import Message
from site_app.services.leads import Desk, keep
from site_app.store.tables import Inquiry


def accept_message(session: Session, message: Message, desk: Desk) -> dict[str, Any]:
    """Keep the message; the same key gives the first answer again."""

    def build(columns: dict[str, Any]) -> Inquiry:
        return Inquiry(
            kind="message",
            full_name=message.full_name,
            subject=message.subject,
            message=message.message,
            **columns,
        )

    return keep(session, message, desk, letter="M", build=build)
