"""Keeps a lead of any kind, and what must be sent because of it, in one commit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlmodel import Session, select

from site_app.contracts.submission import Reachable
from site_app.i18n import BY_ID, ENGLISH, href, use
from site_app.leads.exactly_once import Claim, Entry, claim_keys
from site_app.leads.kind import LeadKind
from site_app.leads.mails.outbox import confirmation_rows, lead_rows
from site_app.services.attachments import Files, attached_files, claim
from site_app.services.mailboxes import limit_mails
from site_app.services.refusals import FieldRefused
from site_app.services.tokens import Tokens
from site_app.settings import Settings
from site_app.store import insert_rows
from site_app.store.tables import NEW, QUARANTINED, RELEASED, Lead, NewLead, NewOutbox, Outbox


@dataclass(frozen=True)
class SubmissionContext:
    """What is known beside a submission when it is taken."""

    settings: Settings
    tokens: Tokens
    now: datetime
    spam_signals: tuple[str, ...] = ()
    domain_takes_mail: bool = True  # of the sender, as far as anybody knows
    network: str = ""  # the sender's, as a keyed hash; empty: nobody's, and nothing is counted by it


class Submitted(NamedTuple):
    """A submission with what is known beside it."""

    kind: LeadKind
    said: Reachable
    context: SubmissionContext


def keep(session: Session, kind: LeadKind, said: Reachable, context: SubmissionContext) -> Entry:
    """Keep a submission once: the lead, its files and its outbox rows; sent again it is answered as the first time."""
    [entry] = keep_all(session, [Submitted(kind, said, context)])
    return entry


def keep_all(session: Session, submitted: Sequence[Submitted]) -> list[Entry]:
    """The same for many at once; raises what speaks against any of them."""
    claims = [Claim(said, kind.prefix, context.now, bool(context.spam_signals)) for kind, said, context in submitted]
    entries = claim_keys(session, claims)
    leads, mails = [], []
    for (kind, said, context), entry in zip(submitted, entries, strict=True):
        if entry.is_new:
            refuse_domain(said, context)
            leads.append(lead := lead_of(kind, said, context, entry.reference))
            mails += mails_of(lead, claim(session, getattr(said, "attachments", ()), entry.reference), context)
    insert_rows(session, Lead, leads)
    insert_rows(session, Outbox, limit_mails(session, mails, now=submitted[-1].context.now))
    return entries


def lead_of(kind: LeadKind, said: Reachable, context: SubmissionContext, reference: str) -> NewLead:
    """The row of a submission."""
    status = QUARANTINED if context.spam_signals else NEW
    own = said.model_dump(mode="json", include={*kind.own_fields}, exclude_defaults=True)
    return NewLead(kind=kind.name, said=own, status=status, **columns(said, context, reference))


def mails_of(lead: NewLead, files: Files, context: SubmissionContext) -> list[NewOutbox]:
    """What the lead sends out now: news and answer, or in quarantine only a question to its sender."""
    if lead.status != QUARANTINED:
        return lead_rows(lead, files=files, settings=context.settings, now=context.now)
    with use(BY_ID.get(lead.language, ENGLISH)):
        url = context.settings.api_address + href(f"/confirm/{context.tokens.confirmation_token(lead.reference)}")
    return confirmation_rows(lead, confirm_url=url, settings=context.settings, now=context.now)


def release(session: Session, reference: str, context: SubmissionContext) -> bool:
    """Let a lead out of quarantine and send what was held back; False if there is none such in it."""
    lead = find(session, reference, lock=True)
    if lead is None or lead.status != QUARANTINED:
        return False
    lead.status = RELEASED
    session.add(lead)
    # The sender has answered the mail, or the agency has looked at the lead: it is no stranger who is written to.
    insert_rows(session, Outbox, mails_of(lead, attached_files(session, reference), context))
    return True


def find(session: Session, reference: str, *, lock: bool = False) -> Lead | None:
    """The lead of a reference, if asked locked against a second release, where the database has such locks."""
    chosen = select(Lead).where(Lead.reference == reference)
    return session.exec(chosen.with_for_update() if lock else chosen).first()


def refuse_domain(said: Reachable, context: SubmissionContext) -> None:
    """Raise FieldRefused when the sender's domain is on the list or takes no mail.

    Only what is new is asked about: what was taken before is answered as it was then, whatever list and DNS say by now.
    """
    if said.domain in context.settings.refused_domains or not context.domain_takes_mail:
        raise FieldRefused("email", "email_refused")


def columns(said: Reachable, context: SubmissionContext, reference: str) -> dict[str, Any]:
    """The columns that leads and calls share, but for the status."""
    dialled = said.dialled
    return {
        "reference": reference,
        "status_reason": " ".join(context.spam_signals),
        "created_at": context.now,
        "language": said.language,
        "source_page": said.page,
        "email": said.email,
        "phone": said.phone,
        "phone_e164": dialled.e164 if dialled else "",
        "phone_extension": dialled.extension if dialled else "",
        "company": said.company,
    }
