"""Leads in quarantine: the spam signals that put them there, what releases them, when they are erased, and the daily mail that names them to the team."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from site_app.contracts.submission import Submission
from site_app.core.settings import Settings
from site_app.provider.affiliates.program import credit_released
from site_app.provider.http.tokens import Tokens
from site_app.provider.leads.attachments import attached_files
from site_app.provider.leads.mails import digest_row
from site_app.provider.leads.queries import find_by_reference
from site_app.provider.leads.storing import SubmissionContext, mails_of
from site_app.provider.outbox.mailboxes import withheld_among
from site_app.provider.store import insert_if_new, insert_rows
from site_app.provider.store.clock import CLOCK_TOLERANCE
from site_app.provider.store.tables import Lead, LeadStatus, Outbox

_MAX_FORM_AGE = timedelta(days=7)
_HONEYPOT = "honeypot"
_TOO_FAST = "too-fast"
_MAX_LISTED = 100


def spam_signals(submission: Submission, tokens: Tokens, minimum_filling_time: timedelta) -> tuple[str, ...]:
    """Returns the names of the submission's spam signals; empty for a form that was opened here and filled in by a person."""
    signals = [_HONEYPOT] if submission.website_url else []
    age = tokens.age(submission.token) if submission.token else None
    if age is None:
        signals.append("forged-token" if submission.token else "no-token")
    # A negative age: the clock was ahead when the form was opened, which is not a spam signal.
    elif age < -CLOCK_TOLERANCE:
        pass
    # The token counts whole seconds: a form opened at 0.9 s and sent at 3.1 s must not seem faster than it was.
    elif age + timedelta(seconds=1) < minimum_filling_time:
        signals.append(_TOO_FAST)
    elif age > _MAX_FORM_AGE:
        signals.append("old-token")
    return tuple(signals)


def transient_signals(signals: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the signals that disappear when a person sends the form again."""
    return tuple(signal for signal in signals if signal in (_HONEYPOT, _TOO_FAST))


def release(session: Session, reference: str, tokens: Tokens, *, settings: Settings, now: datetime) -> bool:
    """Releases a lead from quarantine: sends the mails that were held back, and credits a partner. Returns False if it is not there."""
    lead = find_by_reference(session, Lead, reference, lock=True)
    if lead is None or lead.status != LeadStatus.QUARANTINED:
        return False
    lead.status = LeadStatus.RELEASED
    session.add(lead)
    # Not limited: the sender has followed the link in our mail, or the agency has looked at the lead.
    insert_rows(session, Outbox, mails_of(lead, attached_files(session, reference), SubmissionContext(settings, tokens, now)))
    credit_released(session, lead, settings=settings)
    return True


def count_quarantined(session: Session) -> int:
    """Returns the number of leads in quarantine."""
    return session.exec(select(func.count()).select_from(Lead).where(Lead.status == LeadStatus.QUARANTINED)).one()


def oldest_quarantined(session: Session, limit: int) -> Sequence[Lead]:
    """Returns the oldest leads in quarantine, oldest first."""
    return session.exec(
        select(Lead).where(Lead.status == LeadStatus.QUARANTINED).order_by(col(Lead.created_at)).limit(limit)
    ).all()


def erased_at(lead: Lead, settings: Settings) -> datetime:
    """Returns the time at which the sweep erases the lead if nobody releases it."""
    return lead.created_at + min(settings.keep_quarantine, settings.keep_leads)


def write_digest(session: Session, *, settings: Settings, now: datetime) -> bool:
    """Adds the day's mail to the team to the outbox if leads wait. Returns False if none wait, or the mail was written today already."""
    leads = oldest_quarantined(session, _MAX_LISTED)  # limited, because a flood of spam may leave any number
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
    day = settings.local_day(now)
    row = digest_row(day, lines, count=count_quarantined(session), settings=settings, now=now)
    return insert_if_new(session, Outbox, row.model_dump(exclude={"id"}))  # once a day, because its Message-ID contains the day
