"""Quarantine: spam signals, the leads that wait because of them, and the daily mail to the team. No lead is dropped."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, func, select

from site_app.contracts.submission import Submission
from site_app.core.settings import Settings
from site_app.provider.endpoints.tokens import Tokens
from site_app.provider.leads.mails import digest_row
from site_app.provider.store import insert_if_new
from site_app.provider.store.mailboxes import withheld_among
from site_app.provider.store.tables import QUARANTINED, Lead, Outbox

LONGEST_OPEN = timedelta(days=7)
HONEYPOT, TOO_FAST = "honeypot", "too-fast"
_CLOCKS_DIFFER = timedelta(minutes=1)  # tolerated between machines that serve one site


def spam_signals(submission: Submission, tokens: Tokens, minimum_filling_time: timedelta) -> tuple[str, ...]:
    """Returns the names of the submission's spam signals; empty for a form that was opened here and filled in by a person."""
    signals = [HONEYPOT] if submission.website_url else []
    age = tokens.age(submission.token) if submission.token else None
    if age is None:
        signals.append("forged-token" if submission.token else "no-token")
    # A negative age: the clock was ahead when the form was opened, which is not a spam signal.
    elif age < -_CLOCKS_DIFFER:
        pass
    # The token counts whole seconds: a form opened at 0.9 s and sent at 3.1 s must not seem faster than it was.
    elif age + timedelta(seconds=1) < minimum_filling_time:
        signals.append(TOO_FAST)
    elif age > LONGEST_OPEN:
        signals.append("old-token")
    return tuple(signals)


def transient_signals(signals: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the signals that disappear when a person sends the form again."""
    return tuple(signal for signal in signals if signal in (HONEYPOT, TOO_FAST))


_MOST_LISTED = 100


def how_many_wait(session: Session) -> int:
    return session.exec(select(func.count()).select_from(Lead).where(Lead.status == QUARANTINED)).one()


def oldest_waiting(session: Session, limit: int) -> Sequence[Lead]:
    """Returns the oldest leads in quarantine, oldest first."""
    return session.exec(select(Lead).where(Lead.status == QUARANTINED).order_by(col(Lead.created_at)).limit(limit)).all()


def erased_at(lead: Lead, settings: Settings) -> datetime:
    """Returns the time at which the sweep erases the lead if nobody releases it."""
    return lead.created_at + min(settings.keep_quarantine, settings.keep_leads)


def write_digest(session: Session, *, settings: Settings, now: datetime) -> bool:
    """Adds the day's mail to the team to the outbox if leads wait. Returns False if none wait, or the mail was written today already."""
    leads = oldest_waiting(session, _MOST_LISTED)  # limited, because a flood of spam may leave any number
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
    return insert_if_new(session, Outbox, row.model_dump(exclude={"id"}))  # once a day, because its Message-ID contains the day
