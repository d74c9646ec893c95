"""Exports everything stored about one person, as the law entitles persons to get, and nothing about anybody else."""

from datetime import date
from typing import Any

from sqlmodel import Session, col, func, select

from site_app.core.settings import Settings
from site_app.provider.affiliates.partner_export import partner_records
from site_app.provider.affiliates.program import ABOUT_REFERRALS, partners_of
from site_app.provider.leads.queries import LeadEntry, full_entry, references_of, stored_address
from site_app.provider.outbox.mailboxes import mailbox_of
from site_app.provider.store.audit_log import audit_entries
from site_app.provider.store.tables import (
    AffiliateEntry,
    BookingCell,
    CustomerPayment,
    IdempotencyKey,
    Lead,
    Meeting,
    Outbox,
    Partner,
    Referral,
)

_GUEST_MAIL_ENDING = "-guest"  # of the names of the templates of mails to guests


def person_record(session: Session, email: str, *, settings: Settings, today: date) -> dict[str, Any] | None:
    """Returns everything stored about whoever uses this email address, or None if that is nothing.

    `leads` are the leads and calls they sent, with what a partner applied with, `guest_of` the calls to which somebody invited them, `partner` their records as affiliates.
    """
    address = stored_address(email)
    record = {
        "email": address,
        "leads": [_lead(session, reference) for reference in references_of_person(session, address)],
        "guest_of": _invitations(session, address),
        "partner": partner_records(session, address, settings=settings, today=today),
    }
    return record if record["leads"] or record["guest_of"] or record["partner"] else None


def references_of_person(session: Session, email: str) -> list[str]:
    """Returns the references of what was sent from this address, and of the application of a partner who has had it since."""
    address = stored_address(email)
    applications = [partner.application for partner in partners_of(session, address)]
    stored = session.exec(select(Lead.reference).where(col(Lead.reference).in_(applications)))
    return list(dict.fromkeys([*references_of(session, address), *stored]))


def calls_of_guest(session: Session, email: str) -> list[str]:
    """Returns the references of the calls of which this address is the guest."""
    return [invitation["reference"] for invitation in _invitations(session, stored_address(email))]


def _lead(session: Session, reference: str) -> LeadEntry:
    keys = select(IdempotencyKey.key).where(IdempotencyKey.reference == reference)
    networks = select(BookingCell.network).join(Meeting).where(Meeting.reference == reference, BookingCell.network != "")
    history = reversed(audit_entries(session, reference, limit=None))
    return (full_entry(session, reference) or {}) | {
        "submission_key": session.exec(keys).first(),
        "network_code": session.exec(networks).first(),
        "referral": _referral(session, reference),
        "history": [entry.model_dump(include={"at", "person", "action", "before", "after"}) for entry in history],
    }


def _referral(session: Session, reference: str) -> dict[str, Any] | None:
    """Returns the code of the affiliate to whom the lead is credited, and all that is stored about that, or None.

    Entries of the log about payments are left out: a payment that was moved to another lead would name both.
    """
    row = session.exec(select(Partner.code, Referral).join(Referral).where(Referral.lead == reference)).first()
    if row is None:
        return None
    code, referral = row
    payments = select(CustomerPayment).where(CustomerPayment.lead == reference).order_by(col(CustomerPayment.id))
    history = select(AffiliateEntry).where(col(AffiliateEntry.action).in_(ABOUT_REFERRALS), AffiliateEntry.subject == reference)
    return {
        "code": code,
        **referral.model_dump(exclude={"id", "lead", "partner_id"}),
        "payments": [payment.model_dump(exclude={"id", "reference_key", "lead"}) for payment in session.exec(payments)],
        "history": [
            entry.model_dump(include={"at", "person", "action", "before", "after"})
            for entry in session.exec(history.order_by(col(AffiliateEntry.id)))
        ],
    }


def _invitations(session: Session, address: str) -> list[dict[str, Any]]:
    """Returns the calls of which this address is the guest: when they are, and the mails to the guest. Nothing that the visitor wrote.

    They are found by those mails, because the outbox has an index of mailboxes, and every guest was mailed an invitation.
    """
    is_to_guest = col(Outbox.template).endswith(_GUEST_MAIL_ENDING), func.lower(Outbox.recipient) == address
    mails = session.exec(
        select(Outbox).where(Outbox.mailbox == mailbox_of(address), *is_to_guest).order_by(col(Outbox.id))
    ).all()
    references = dict.fromkeys(mail.reference for mail in mails)
    meetings = select(Meeting).where(col(Meeting.reference).in_(references)).order_by(col(Meeting.starts_at))
    return [
        {
            "reference": meeting.reference,
            "state": meeting.state,
            "starts_at": meeting.starts_at,
            "ends_at": meeting.ends_at,
            "guest_email": meeting.guest_email,
            "mails": [
                {"template": mail.template, "status": mail.status, "sent_at": mail.sent_at}
                for mail in mails
                if mail.reference == meeting.reference
            ],
        }
        for meeting in session.exec(meetings)
    ]
