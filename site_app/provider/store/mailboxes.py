"""Mailboxes, and how much mail one gets from us: whoever enters somebody else's address in a form must not fill it."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

import structlog
from sqlalchemy import bindparam
from sqlmodel import Session, col, func, or_, select

from site_app.provider.store import advisory_lock
from site_app.provider.store.tables import SENDING, WAITING, WITHHELD, NewOutbox, Outbox

MAILS_A_DAY = 2
_DAY = timedelta(days=1)
_GMAIL = ("gmail.com", "googlemail.com")
_SINCE = bindparam("since")
_COUNT = (
    select(Outbox.mailbox, func.count())
    .where(
        col(Outbox.mailbox).in_(bindparam("mailboxes", expanding=True)),
        # What waits for a mail server that is down counts too, or it would arrive with the next day's.
        or_(col(Outbox.created_at) > _SINCE, col(Outbox.sent_at) > _SINCE, col(Outbox.status).in_((WAITING, SENDING))),
    )
    .group_by(Outbox.mailbox)
)

log = structlog.get_logger()


def mailbox_of(email: str) -> str:
    """The same text for every spelling of one mailbox: without capitals, tags after a plus, and the dots that Gmail ignores."""
    local, _, domain = email.lower().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _GMAIL:
        local, domain = local.replace(".", ""), _GMAIL[0]
    return f"{local}@{domain}"


def limit_mails(session: Session, rows: Sequence[NewOutbox], *, now: datetime) -> Sequence[NewOutbox]:
    """The rows; one for a mailbox that has had its mails of the day becomes a record that is never sent, without its words.

    Mails to the team and webhooks have no mailbox, so they are always sent. Mails of a call are not asked about here, but they count.
    """
    written = _mails_of_the_day(session, {row.mailbox for row in rows} - {""}, now)
    for row in rows:
        if row.mailbox and written[row.mailbox] >= MAILS_A_DAY:
            row.status, row.mailbox, row.payload = WITHHELD, "", {}
            log.info("mail.withheld", template=row.template, reference=row.reference)
        written[row.mailbox] += 1
    return rows


def withheld_among(session: Session, references: Sequence[str]) -> set[str]:
    """Those of the references whose sender gets no mail."""
    if not references:
        return set()
    rows = select(Outbox.reference).where(col(Outbox.reference).in_(references), Outbox.status == WITHHELD)
    return set(session.exec(rows))


def lock_mailboxes(session: Session, *mailboxes: str) -> None:
    """Let no other transaction count or write for these mailboxes until this one ends."""
    advisory_lock(session, *(f"mailbox {one}" for one in mailboxes))


def _mails_of_the_day(session: Session, mailboxes: Collection[str], now: datetime) -> Counter[str]:
    if not mailboxes:
        return Counter()
    lock_mailboxes(session, *mailboxes)
    return Counter(dict(session.exec(_COUNT, params={"mailboxes": [*mailboxes], "since": now - _DAY}).all()))
