"""Erases partners whose agreement has ended, with everything recorded about them, after their retention period."""

from datetime import datetime
from typing import Any

from sqlalchemy import delete, exists
from sqlmodel import Session, col, or_, select

from site_app.provider.affiliates.payout_reminders import REMINDED
from site_app.provider.store.tables import AffiliateEntry, CustomerPayment, Partner, PartnerLink, Payout, Referral

_PARTNERS_A_BATCH = 5  # each may have a thousand rows, and a batch is short for the sake of visitors who write meanwhile


def delete_expired_partners(session: Session, *, before: datetime) -> int:
    """Deletes a batch of partners with their links, referrals, payouts, log and the payments of their customers. Returns their number.

    A partner is kept while the agreement goes on, and while a payment, a payout or a reminder of one is not from before this time.
    """
    has_ended = col(Partner.ends_on) < before.date()
    expired = select(col(Partner.id)).where(has_ended, ~_has_recent_money(before)).limit(_PARTNERS_A_BATCH)
    locked_ids = session.exec(expired.with_for_update()).all()
    if not locked_ids:
        return 0
    # The locks may have been waited for: a payment entered meanwhile keeps its partner.
    partner_ids = session.exec(expired.where(col(Partner.id).in_(locked_ids))).all()
    if not partner_ids:
        return 0
    execute = session.connection().execute
    leads = select(Referral.lead).where(col(Referral.partner_id).in_(partner_ids))
    execute(delete(CustomerPayment).where(col(CustomerPayment.lead).in_(leads)))
    for table in (Referral, Payout, AffiliateEntry, PartnerLink):
        execute(delete(table).where(col(table.partner_id).in_(partner_ids)))
    execute(delete(Partner).where(col(Partner.id).in_(partner_ids)))
    return len(partner_ids)


def _has_recent_money(before: datetime) -> Any:
    """Returns the condition for a partner with a payment, a payout or a reminder of this time or later."""
    day = before.date()
    payment_days = CustomerPayment.due_on, CustomerPayment.received_on, CustomerPayment.reversed_on, CustomerPayment.repaid_on
    is_recent_payment = or_(*(col(payment_day) >= day for payment_day in payment_days))
    payment = exists().where(
        col(Referral.partner_id) == Partner.id, col(CustomerPayment.lead) == Referral.lead, is_recent_payment
    )
    payout = exists().where(col(Payout.partner_id) == Partner.id, col(Payout.paid_on) >= day)
    reminder = exists().where(
        col(AffiliateEntry.partner_id) == Partner.id, col(AffiliateEntry.action) == REMINDED, col(AffiliateEntry.at) >= before
    )
    return or_(payment, payout, reminder)
