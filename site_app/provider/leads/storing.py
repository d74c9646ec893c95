"""Stores a lead, its files and the outbox rows of its mails in one commit, exactly once.

The submission's idempotency key is registered in the same transaction, so a repeated request stores nothing new.
Leads with spam signals wait in quarantine. No lead is dropped.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

from sqlmodel import Session

from site_app.contracts.input import SPOKEN_ALPHABET
from site_app.contracts.submission import DELIVERY_FIELDS, ContactedSubmission, LeadKind, Submission
from site_app.core.i18n import href, use
from site_app.core.locales import BY_ID, ENGLISH
from site_app.core.settings import Settings
from site_app.provider.affiliates.program import credit_all
from site_app.provider.http.refusals import FieldRefused, KeyReused
from site_app.provider.http.tokens import Tokens
from site_app.provider.leads.attachments import Files, claim_files
from site_app.provider.leads.mails import confirmation_rows, lead_rows
from site_app.provider.outbox.mailboxes import limit_mails, withheld_among
from site_app.provider.store import insert_new_rows, insert_rows
from site_app.provider.store.tables import IdempotencyKey, Lead, LeadStatus, NewLead, NewOutbox, Outbox, OutboxStatus


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
    inserted = insert_new_rows(session, IdempotencyKey, sorted(rows, key=itemgetter("kind", "key")))
    if inserted == len(rows):
        return [Acknowledgement(row["reference"], row["quarantined"], is_new=True) for row in rows]
    return [_acknowledge(session, registration, row) for registration, row in zip(registrations, rows, strict=True)]


def _row(registration: Registration) -> dict[str, Any]:
    submission, prefix, now, quarantined = registration
    return {
        "kind": type(submission).__name__,
        "key": submission.key,
        "body_hash": _hash(submission.content_json()),
        "reference": new_reference(prefix),
        "quarantined": quarantined,
        "created_at": now,
    }


def _acknowledge(session: Session, registration: Registration, row: Mapping[str, Any]) -> Acknowledgement:
    stored = session.get(IdempotencyKey, (row["kind"], row["key"]))
    if stored is None:  # the new reference exists already, not the key: try again with another reference
        return register(session, [registration])[0]
    if stored.body_hash not in (row["body_hash"], _hash(_content_of_first_releases(registration.submission))):
        raise KeyReused
    return Acknowledgement(stored.reference, stored.quarantined, is_new=stored.reference == row["reference"])


def _content_of_first_releases(submission: Submission) -> str:
    """Returns the text whose hash releases 0.1 and 0.2 stored: with all defaults, but without an empty guest."""
    guest = set() if getattr(submission, "guest_email", "") else {"guest_email"}
    return submission.model_dump_json(exclude=DELIVERY_FIELDS | guest)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def new_reference(prefix: str) -> str:
    """Returns a random reference such as Q-7F3K-29: short enough to say, and hard to guess."""
    # One number for all six: the system is asked for randomness once, and each time other threads may take over.
    number = secrets.randbelow(len(SPOKEN_ALPHABET) ** 6)
    signs = "".join(SPOKEN_ALPHABET[number // len(SPOKEN_ALPHABET) ** place % len(SPOKEN_ALPHABET)] for place in range(6))
    return f"{prefix}-{signs[:4]}-{signs[4:]}"


@dataclass(frozen=True)
class SubmissionContext:
    """The data that belongs to a submission besides its fields."""

    settings: Settings
    tokens: Tokens
    now: datetime
    spam_signals: tuple[str, ...] = ()
    domain_takes_mail: bool = True  # the sender's domain; True if unknown
    network_hash: str = ""  # keyed hash of the sender's network; empty: no limits per network


class IncomingLead(NamedTuple):
    """A submission with its kind and context."""

    kind: LeadKind
    submission: ContactedSubmission
    context: SubmissionContext


def store_leads(session: Session, incoming_leads: Sequence[IncomingLead]) -> list[Acknowledgement]:
    """Stores each submission once: the lead, its files, its outbox rows and its referral. A repeated submission gets its earlier result.

    Raises KeyReused or FieldRefused if one of them is refused.
    """
    registrations = [
        Registration(submission, kind.prefix, context.now, bool(context.spam_signals))
        for kind, submission, context in incoming_leads
    ]
    acknowledgements = register(session, registrations)
    leads = []
    mails = []
    for (kind, submission, context), acknowledgement in zip(incoming_leads, acknowledgements, strict=True):
        if acknowledgement.is_new:
            reference = acknowledgement.reference
            refuse_domain(submission, context)
            leads.append(lead := lead_of(kind, submission, context, reference))
            mails += mails_of(lead, claim_files(session, getattr(submission, "attachments", ()), reference), context)
    insert_rows(session, Lead, leads)
    insert_rows(session, Outbox, limit_mails(session, mails, now=incoming_leads[-1].context.now))
    credit_all(session, leads, settings=incoming_leads[-1].context.settings)
    earlier = [entry.reference for entry in acknowledgements if not entry.is_new]
    unmailed = {row.reference for row in mails if row.status == OutboxStatus.WITHHELD} | withheld_among(session, earlier)
    return [entry._replace(mailed=entry.reference not in unmailed) for entry in acknowledgements]


def lead_of(kind: LeadKind, submission: ContactedSubmission, context: SubmissionContext, reference: str) -> NewLead:
    """Returns the row of a submission."""
    status = LeadStatus.QUARANTINED if context.spam_signals else LeadStatus.NEW
    kind_fields = submission.model_dump(mode="json", include={*kind.own_fields}, exclude_defaults=True)
    return NewLead(kind=kind.name, own_fields=kind_fields, status=status, **shared_columns(submission, context, reference))


def mails_of(lead: NewLead, files: Files, context: SubmissionContext) -> list[NewOutbox]:
    """Returns the mails that the lead causes now: one to the team and an answer, or in quarantine only a question to its sender."""
    if lead.status != LeadStatus.QUARANTINED:
        return lead_rows(lead, files=files, settings=context.settings, now=context.now)
    with use(BY_ID.get(lead.language, ENGLISH)):
        url = context.settings.api_url + href(f"/confirm/{context.tokens.confirmation_token(lead.reference)}")
    return confirmation_rows(lead, confirm_url=url, settings=context.settings, now=context.now)


def refuse_domain(submission: ContactedSubmission, context: SubmissionContext) -> None:
    """Raises FieldRefused if the sender's domain is on the list of refused domains or takes no mail.

    Checked only for new submissions: a repeated one gets its earlier result, even if list or DNS have changed since.
    """
    if submission.domain in context.settings.refused_email_domains or not context.domain_takes_mail:
        raise FieldRefused("email", "email_refused")


def shared_columns(submission: ContactedSubmission, context: SubmissionContext, reference: str) -> dict[str, Any]:
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
