"""Leads in quarantine: what waits there, and the mail that tells the team of it once a day."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, func, select

from site_app.core.settings import Settings
from site_app.provider.leads.mails import digest_row
from site_app.provider.store import insert_if_new
from site_app.provider.store.mailboxes import withheld_among
from site_app.provider.store.tables import QUARANTINED, Lead, Outbox

_MOST_LISTED = 100


def how_many_wait(session: Session) -> int:
    return session.exec(select(func.count()).select_from(Lead).where(Lead.status == QUARANTINED)).one()


def oldest_waiting(session: Session, most: int) -> Sequence[Lead]:
    """Those in quarantine for longest, the oldest first."""
    return session.exec(select(Lead).where(Lead.status == QUARANTINED).order_by(col(Lead.created_at)).limit(most)).all()


def erased_at(lead: Lead, settings: Settings) -> datetime:
    """When the sweep erases it if nobody lets it through."""
    return lead.created_at + min(settings.keep_quarantine, settings.keep_leads)


def write_digest(session: Session, *, settings: Settings, now: datetime) -> bool:
    """Put the day's mail to the team into the outbox while something waits; it is written once a day, whoever asks how often."""
    leads = oldest_waiting(session, _MOST_LISTED)  # a flood of spam may have left any number
    if not leads:
        return False
    unasked = withheld_among(session, [lead.reference for lead in leads])
    lines = [
        {
            "reference": lead.reference,
            "kind": lead.kind,
            "created_at": lead.created_at.isoformat(),
            "erased_at": erased_at(lead, settings).isoformat(),
            "is_asked": lead.reference not in unasked,
        }
        for lead in leads
    ]
    day = now.astimezone(ZoneInfo(settings.booking_zone)).date()
    row = digest_row(day, lines, count=how_many_wait(session), settings=settings, now=now)
    return insert_if_new(session, Outbox, row.model_dump(exclude={"id"}))  # its Message-ID names the day
