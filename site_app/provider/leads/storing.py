"""Stores a lead, its files and the outbox rows of its mails in one commit, exactly once.

The submission's idempotency key is registered in the same transaction, so a repeated request stores nothing new.
Leads with spam signals wait in quarantine, and a daily mail names them to the team. No lead is dropped.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, func, select

from site_app.contracts.submission import ContactedSubmission, LeadKind, Submission
from site_app.core.i18n import BY_ID, ENGLISH, href, use
from site_app.core.settings import Settings
from site_app.provider.affiliates.program import credit_all
from site_app.provider.http.refusals import FieldRefused, KeyReused
from site_app.provider.http.tokens import Tokens
from site_app.provider.leads.attachments import Files, attach, attached_files
from site_app.provider.leads.mails import confirmation_rows, digest_row, lead_rows
from site_app.provider.leads.queries import find
from site_app.provider.store import insert_if_new, insert_new_rows, insert_rows
from site_app.provider.store.mailboxes import limit_mails, withheld_among
from site_app.provider.store.tables import IdempotencyKey, Lead, LeadStatus, NewLead, NewOutbox, Outbox, OutboxStatus

# References are read out over the phone, so letters that look like digits are left out: no 0 O 1 I L, and no Z S B because of 2 5 8.
ALPHABET = "23456789ACDEFGHJKMNPQRTUVWXY"


class Registration(NamedTuple):
    """A submission whose key is to be registered for a new reference with this prefix."""

    submission: Submission
    prefix: str
    now: datetime
    quarantined: bool = False


class Acknowledgement(NamedTuple):
    """The reference registered for a key. `is_new` is True for the caller that has just registered it and must store the submission.

    `mailed` is False if the mail to the sender is withheld.
    """

    reference: str
    quarantined: bool
    is_new: bool
    mailed: bool = True


def register(session: Session, registrations: Sequence[Registration]) -> list[Acknowledgement]:
    """Registers each key for a new reference, or finds its existing reference. Raises KeyReused if the submission's content differs."""
    rows = [_row(registration) for registration in registrations]
    new = insert_new_rows(session, IdempotencyKey, "reference", sorted(rows, key=itemgetter("kind", "key")))
    return [
        Acknowledgement(row["reference"], row["quarantined"], is_new=True)
        if row["reference"] in new
        else _earlier(session, registration, row)
        for registration, row in zip(registrations, rows, strict=True)
    ]


def _row(registration: Registration) -> dict[str, Any]:
    submission, prefix, now, quarantined = registration
    return {
        "kind": type(submission).__name__,
        "key": submission.key,
        "body_hash": hashlib.sha256(submission.content_json().encode()).hexdigest(),
        "reference": new_reference(prefix),
        "quarantined": quarantined,
        "created_at": now,
    }


def _earlier(session: Session, registration: Registration, row: Mapping[str, Any]) -> Acknowledgement:
    earlier = session.get(IdempotencyKey, (row["kind"], row["key"]))
    if earlier is None:  # the new reference exists already, not the key: try again with another reference
        return register(session, [registration])[0]
    if earlier.body_hash != row["body_hash"]:
        raise KeyReused(registration.submission.key)
    return Acknowledgement(earlier.reference, earlier.quarantined, is_new=False)


def new_reference(prefix: str) -> str:
    """Returns a random reference such as Q-7F3K-29: short enough to say, and hard to guess."""
    signs = "".join(secrets.choice(ALPHABET) for _ in range(6))
    return f"{prefix}-{signs[:4]}-{signs[4:]}"


@dataclass(frozen=True)
class SubmissionContext:
    """The data that belongs to a submission besides its fields."""

    settings: Settings
    tokens: Tokens
    now: datetime
    spam_signals: tuple[str, ...] = ()
    domain_takes_mail: bool = True  # the sender's domain; True if unknown
    network: str = ""  # the sender's, as a keyed hash; empty: no limits per network


class Submitted(NamedTuple):
    """A submission with its kind and context."""

    kind: LeadKind
    submission: ContactedSubmission
    context: SubmissionContext


def store_leads(session: Session, submitted: Sequence[Submitted]) -> list[Acknowledgement]:
    """Stores each submission once: the lead, its files, its outbox rows and its referral. A repeated submission gets its earlier result.

    Raises KeyReused or FieldRefused if one of them is refused.
    """
    registrations = [
        Registration(submission, kind.prefix, context.now, bool(context.spam_signals))
        for kind, submission, context in submitted
    ]
    acknowledgements = register(session, registrations)
    leads, mails = [], []
    for (kind, submission, context), acknowledgement in zip(submitted, acknowledgements, strict=True):
        if acknowledgement.is_new:
            reference = acknowledgement.reference
            refuse_domain(submission, context)
            leads.append(lead := lead_of(kind, submission, context, reference))
            mails += mails_of(lead, attach(session, getattr(submission, "attachments", ()), reference), context)
    insert_rows(session, Lead, leads)
    insert_rows(session, Outbox, limit_mails(session, mails, now=submitted[-1].context.now))
    credit_all(session, leads)
    earlier = [entry.reference for entry in acknowledgements if not entry.is_new]
    unmailed = {row.reference for row in mails if row.status == OutboxStatus.WITHHELD} | withheld_among(session, earlier)
    return [entry._replace(mailed=entry.reference not in unmailed) for entry in acknowledgements]


def lead_of(kind: LeadKind, submission: ContactedSubmission, context: SubmissionContext, reference: str) -> NewLead:
    """Returns the row of a submission."""
    status = LeadStatus.QUARANTINED if context.spam_signals else LeadStatus.NEW
    kind_fields = submission.model_dump(mode="json", include={*kind.own_fields}, exclude_defaults=True)
    return NewLead(kind=kind.name, own_fields=kind_fields, status=status, **columns(submission, context, reference))


def mails_of(lead: NewLead, files: Files, context: SubmissionContext) -> list[NewOutbox]:
    """Returns the mails that the lead causes now: one to the team and an answer, or in quarantine only a question to its sender."""
    if lead.status != LeadStatus.QUARANTINED:
        return lead_rows(lead, files=files, settings=context.settings, now=context.now)
    with use(BY_ID.get(lead.language, ENGLISH)):
        url = context.settings.api_address + href(f"/confirm/{context.tokens.confirmation_token(lead.reference)}")
    return confirmation_rows(lead, confirm_url=url, settings=context.settings, now=context.now)


def release(session: Session, reference: str, settings: Settings, tokens: Tokens, now: datetime) -> bool:
    """Releases a lead from quarantine: sends the mails that were held back, and credits a partner. Returns False if it is not there."""
    lead = find(session, Lead, reference, lock=True)
    if lead is None or lead.status != LeadStatus.QUARANTINED:
        return False
    lead.status = LeadStatus.RELEASED
    session.add(lead)
    # Not limited: the sender has followed the link in our mail, or the agency has looked at the lead.
    insert_rows(session, Outbox, mails_of(lead, attached_files(session, reference), SubmissionContext(settings, tokens, now)))
    credit_all(session, [lead])
    return True


def refuse_domain(submission: ContactedSubmission, context: SubmissionContext) -> None:
    """Raises FieldRefused if the sender's domain is on the list of refused domains or takes no mail.

    Checked only for new submissions: a repeated one gets its earlier result, even if list or DNS have changed since.
    """
    if submission.domain in context.settings.refused_email_domains or not context.domain_takes_mail:
        raise FieldRefused("email", "email_refused")


def columns(submission: ContactedSubmission, context: SubmissionContext, reference: str) -> dict[str, Any]:
    """Returns the columns that leads and meetings share, without the status."""
    phone = submission.parsed_phone
    return {
        "reference": reference,
        "status_reason": " ".join(context.spam_signals),
        "created_at": context.now,
        "language": submission.language,
        "source_page": submission.page,
        "email": submission.email,
        "phone": submission.phone,
        "phone_e164": phone.e164 if phone else "",
        "phone_extension": phone.extension if phone else "",
        "company": submission.company,
        "attribution": submission.attribution,
    }


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
    return session.exec(select(func.count()).select_from(Lead).where(Lead.status == LeadStatus.QUARANTINED)).one()


def oldest_waiting(session: Session, limit: int) -> Sequence[Lead]:
    """Returns the oldest leads in quarantine, oldest first."""
    return session.exec(
        select(Lead).where(Lead.status == LeadStatus.QUARANTINED).order_by(col(Lead.created_at)).limit(limit)
    ).all()


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
