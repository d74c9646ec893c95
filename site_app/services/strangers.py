"""How much mail one mailbox gets from us: whoever names somebody else's address in a form must not fill it."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

import structlog
from sqlmodel import Session, col, func, or_, select

from site_app.store import advisory_lock
from site_app.store.tables import SENDING, WAITING, WITHHELD, NewOutbox, Outbox

MAILS_A_DAY = 2
_DAY = timedelta(days=1)

log = structlog.get_logger()


def spare_strangers(session: Session, rows: Sequence[NewOutbox], *, now: datetime) -> Sequence[NewOutbox]:
    """The rows, of which a mail to a mailbox that has had its mails of the day is only noted, and its words are dropped.

    Mails to the team and webhooks have no mailbox: they are written whatever happens.
    """
    written = _mails_of_the_day(session, {row.mailbox for row in rows} - {""}, now)
    for row in rows:
        if row.mailbox and written[row.mailbox] >= MAILS_A_DAY:
            row.status, row.mailbox, row.payload = WITHHELD, "", {}
            log.info("mail.withheld", template=row.template, reference=row.reference)
        written[row.mailbox] += 1
    return rows


def lock_mailboxes(session: Session, *mailboxes: str) -> None:
    """Let nobody else count or write for these mailboxes until the transaction ends."""
    advisory_lock(session, *(f"mailbox {one}" for one in mailboxes))


def _mails_of_the_day(session: Session, mailboxes: Collection[str], now: datetime) -> Counter[str]:
    if not mailboxes:
        return Counter()
    lock_mailboxes(session, *mailboxes)
    since = now - _DAY
    # What waits for a mail server that is down counts too, or it would arrive with the next day's.
    lately = or_(col(Outbox.created_at) > since, col(Outbox.sent_at) > since, col(Outbox.status).in_((WAITING, SENDING)))
    theirs = select(Outbox.mailbox, func.count()).where(col(Outbox.mailbox).in_(mailboxes), lately)
    return Counter(dict(session.exec(theirs.group_by(Outbox.mailbox)).all()))
