"""Stores a lead, its files and the outbox rows of its mails in one commit, exactly once.

The submission's key decides, inside the lead's own transaction, however often it is sent.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

from sqlmodel import Session

from site_app.contracts.kind import LeadKind
from site_app.contracts.submission import Reachable, Submission
from site_app.core.i18n import BY_ID, ENGLISH, href, use
from site_app.core.settings import Settings
from site_app.provider.endpoints.refusals import FieldRefused, KeyReused
from site_app.provider.endpoints.tokens import Tokens
from site_app.provider.leads.attachments import Files, attach, attached_files
from site_app.provider.leads.mails import confirmation_rows, lead_rows
from site_app.provider.leads.queries import find
from site_app.provider.store import insert_new_rows, insert_rows
from site_app.provider.store.mailboxes import limit_mails, withheld_among
from site_app.provider.store.tables import (
    NEW,
    QUARANTINED,
    RELEASED,
    WITHHELD,
    IdempotencyKey,
    Lead,
    NewLead,
    NewOutbox,
    Outbox,
)

# A reference is read out over the phone: without 0 O 1 I L, and of 2 Z, 5 S and 8 B only the digit.
ALPHABET = "23456789ACDEFGHJKMNPQRTUVWXY"


class Registration(NamedTuple):
    """A submission whose key is to stand for a new reference with this prefix."""

    submission: Submission
    prefix: str
    now: datetime
    quarantined: bool = False


class Acknowledgement(NamedTuple):
    """The reference that a key stands for; `is_new` for the caller that has just registered it, who keeps the submission.

    `mailed` is False where the mail to its sender is withheld.
    """

    reference: str
    quarantined: bool
    is_new: bool
    mailed: bool = True


def register(session: Session, registrations: Sequence[Registration]) -> list[Acknowledgement]:
    """Register each key for a new reference, or find the one it stands for; raises KeyReused where the words differ."""
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
        "body_hash": hashlib.sha256(submission.words().encode()).hexdigest(),
        "reference": new_reference(prefix),
        "quarantined": quarantined,
        "created_at": now,
    }


def _earlier(session: Session, registration: Registration, row: Mapping[str, Any]) -> Acknowledgement:
    earlier = session.get(IdempotencyKey, (row["kind"], row["key"]))
    if earlier is None:  # not the key but the reference is there already: another one is made
        return register(session, [registration])[0]
    if earlier.body_hash != row["body_hash"]:
        raise KeyReused(registration.submission.key)
    return Acknowledgement(earlier.reference, earlier.quarantined, is_new=False)


def new_reference(prefix: str) -> str:
    """Such as Q-7F3K-29: short enough to say, too many to guess at."""
    signs = "".join(secrets.choice(ALPHABET) for _ in range(6))
    return f"{prefix}-{signs[:4]}-{signs[4:]}"


@dataclass(frozen=True)
class SubmissionContext:
    """What is known beside a submission when it comes in."""

    settings: Settings
    tokens: Tokens
    now: datetime
    spam_signals: tuple[str, ...] = ()
    domain_takes_mail: bool = True  # of the sender, as far as anybody knows
    network: str = ""  # the sender's, as a keyed hash; empty: nothing is counted by it


class Submitted(NamedTuple):
    """A submission with what is known beside it."""

    kind: LeadKind
    submission: Reachable
    context: SubmissionContext


def keep(session: Session, submitted: Sequence[Submitted]) -> list[Acknowledgement]:
    """Keep each submission once: the lead, its files and its outbox rows; one that was sent before is answered as it was then.

    Raises what speaks against any of them.
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
    earlier = [entry.reference for entry in acknowledgements if not entry.is_new]
    unmailed = {row.reference for row in mails if row.status == WITHHELD} | withheld_among(session, earlier)
    return [entry._replace(mailed=entry.reference not in unmailed) for entry in acknowledgements]


def lead_of(kind: LeadKind, submission: Reachable, context: SubmissionContext, reference: str) -> NewLead:
    """The row of a submission."""
    status = QUARANTINED if context.spam_signals else NEW
    kind_fields = submission.model_dump(mode="json", include={*kind.own_fields}, exclude_defaults=True)
    return NewLead(kind=kind.name, said=kind_fields, status=status, **columns(submission, context, reference))


def mails_of(lead: NewLead, files: Files, context: SubmissionContext) -> list[NewOutbox]:
    """What the lead sends now: a mail to the team and an answer, or in quarantine only a question to its sender."""
    if lead.status != QUARANTINED:
        return lead_rows(lead, files=files, settings=context.settings, now=context.now)
    with use(BY_ID.get(lead.language, ENGLISH)):
        url = context.settings.api_address + href(f"/confirm/{context.tokens.confirmation_token(lead.reference)}")
    return confirmation_rows(lead, confirm_url=url, settings=context.settings, now=context.now)


def release(session: Session, reference: str, context: SubmissionContext) -> bool:
    """Let a lead out of quarantine and send what was held back; False if no such lead is in it."""
    lead = find(session, Lead, reference, lock=True)
    if lead is None or lead.status != QUARANTINED:
        return False
    lead.status = RELEASED
    session.add(lead)
    # Not limited: the sender has followed the link in our mail, or the agency has looked at the lead.
    insert_rows(session, Outbox, mails_of(lead, attached_files(session, reference), context))
    return True


def refuse_domain(submission: Reachable, context: SubmissionContext) -> None:
    """Raise FieldRefused when the sender's domain is on the list or takes no mail.

    Asked only of what is new: a submission that was kept before is answered as it was then, whatever list and DNS say by now.
    """
    if submission.domain in context.settings.refused_email_domains or not context.domain_takes_mail:
        raise FieldRefused("email", "email_refused")


def columns(submission: Reachable, context: SubmissionContext, reference: str) -> dict[str, Any]:
    """The columns that leads and calls share, without the status."""
    phone = submission.dialled
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
    }
