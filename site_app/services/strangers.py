"""How much mail one mailbox gets from us: whoever names somebody else's address in a form must not fill it."""

from collections.abc import Iterable
from datetime import datetime, timedelta

import structlog
from sqlmodel import Session, col, func, or_, select

from site_app.store import take_turns
from site_app.store.tables import Outbox
from site_app.store.tables.outbox import SENDING, WAITING, WITHHELD

MAILS_A_DAY = 2
_DAY = timedelta(days=1)

log = structlog.get_logger()


def spare_strangers(session: Session, rows: Iterable[Outbox], *, now: datetime) -> list[Outbox]:
    """The rows, of which a mail to a mailbox that has had its mails of the day is only noted, and its words are dropped.

    Mails to the team and webhooks have no mailbox: they are written whatever happens.
    """
    rows = list(rows)
    for row in rows:
        if row.mailbox and _mails_of_the_day(session, row.mailbox, now) >= MAILS_A_DAY:
            row.status, row.mailbox, row.payload = WITHHELD, "", {}
            log.info("mail.withheld", template=row.template, reference=row.reference)
    return rows


def lock_mailbox(session: Session, mailbox: str) -> None:
    """Let nobody else count or write for this mailbox until the transaction ends."""
    take_turns(session, f"mailbox {mailbox}")


def _mails_of_the_day(session: Session, mailbox: str, now: datetime) -> int:
    lock_mailbox(session, mailbox)
    since = now - _DAY
    # What waits for a mail server that is down counts too, or it would arrive with the next day's.
    lately = or_(col(Outbox.created_at) > since, col(Outbox.sent_at) > since, col(Outbox.status).in_((WAITING, SENDING)))
    return session.exec(select(func.count()).select_from(Outbox).where(Outbox.mailbox == mailbox, lately)).one()
