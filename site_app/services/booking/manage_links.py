"""Manage links: unguessable, kept as a hash, and good for as long as the call is kept, however old the mail."""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from sqlmodel import Session, select

from site_app.i18n import BY_ID, ENGLISH, href, use
from site_app.settings import Settings
from site_app.store.tables import ManageLink, Meeting


@dataclass(frozen=True)
class Managed:
    """A call, and the token of a manage link to it."""

    meeting: Meeting
    token: str


def new_link(session: Session, meeting: Meeting, *, token: Callable[[], str] = secrets.token_urlsafe) -> Managed:
    """A further way to the call's page; the earlier ones stay good."""
    made = token()
    session.add(ManageLink(token_hash=_hash(made), meeting_id=meeting.id or 0))
    session.flush()
    return Managed(meeting, made)


def meeting_of(session: Session, token: str, *, lock: bool = False) -> Meeting | None:
    """The call this token leads to."""
    found = select(Meeting).join(ManageLink).where(ManageLink.token_hash == _hash(token))
    return session.exec(found.with_for_update(of=Meeting) if lock else found).first()


def manage_url(call: Managed, settings: Settings) -> str:
    """The address of the call's page, in the language its visitor booked in."""
    with use(BY_ID.get(call.meeting.language, ENGLISH)):
        return settings.api_address + href(f"/meetings/{call.token}")


def _hash(token: str) -> str:
    # The token is 256 bits of chance, so a plain hash is as good as a slow one.
    return hashlib.sha256(token.encode()).hexdigest()
