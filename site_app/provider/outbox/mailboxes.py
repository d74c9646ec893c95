"""Limits the mails to one mailbox: nobody can flood it by entering its address in our forms."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

import structlog
from sqlalchemy import and_, bindparam
from sqlmodel import Session, col, func, or_, select

from site_app.core.business import MAILS_A_DAY
from site_app.provider.store import advisory_lock
from site_app.provider.store.clock import CLOCK_TOLERANCE
from site_app.provider.store.tables import NewOutbox, Outbox, OutboxStatus

_DAY = timedelta(days=1)
_GMAIL = ("gmail.com", "googlemail.com")
_SINCE = bindparam("since")
_UNTIL = bindparam("until")  # later mails were dated by a clock that was ahead, and would count until that date
_COUNT = (
    select(Outbox.mailbox, func.count())
    .where(
        col(Outbox.mailbox).in_(bindparam("mailboxes", expanding=True)),
        # Mails that wait for a mail server count too, or they would arrive on top of the next day's.
        or_(
            and_(col(Outbox.created_at) > _SINCE, col(Outbox.created_at) < _UNTIL),
            and_(col(Outbox.sent_at) > _SINCE, col(Outbox.sent_at) < _UNTIL),
            col(Outbox.status).in_((OutboxStatus.WAITING, OutboxStatus.SENDING)),
        ),
    )
    .group_by(Outbox.mailbox)
)

log = structlog.get_logger()


def mailbox_of(email: str) -> str:
    """Returns one spelling for all spellings of a mailbox: in lower case, without a +tag and without the dots that Gmail ignores."""
    local, _, domain = email.lower().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _GMAIL:
        local = local.replace(".", "")
        domain = _GMAIL[0]
    return f"{local}@{domain}"


def limit_mails(session: Session, rows: Sequence[NewOutbox], *, now: datetime) -> Sequence[NewOutbox]:
    """Withholds each row whose mailbox has reached MAILS_A_DAY: it stays as a record without content and is never sent.

    Mails to the team and webhooks have no mailbox, so they are always sent. Mails about a meeting are never withheld, but they count.
    """
    counts = _mails_of_the_day(session, {row.mailbox for row in rows} - {""}, now)
    for row in rows:
        if row.mailbox and counts[row.mailbox] >= MAILS_A_DAY:
            row.status = OutboxStatus.WITHHELD
            row.mailbox = ""
            row.payload = {}
            log.info("mail.withheld", template=row.template, reference=row.reference)
        counts[row.mailbox] += 1
    return rows


def withheld_among(session: Session, references: Sequence[str]) -> set[str]:
    """Returns the references whose sender gets no mail."""
    if not references:
        return set()
    rows = select(Outbox.reference).where(col(Outbox.reference).in_(references), Outbox.status == OutboxStatus.WITHHELD)
    return set(session.exec(rows))


def lock_mailboxes(session: Session, *mailboxes: str) -> None:
    """Keeps other transactions from counting or writing mails of these mailboxes until this one ends."""
    advisory_lock(session, *(f"mailbox {mailbox}" for mailbox in mailboxes))


def _mails_of_the_day(session: Session, mailboxes: Collection[str], now: datetime) -> Counter[str]:
    if not mailboxes:
        return Counter()
    lock_mailboxes(session, *mailboxes)
    day = {"since": now - _DAY, "until": now + CLOCK_TOLERANCE}
    rows = session.connection().execute(_COUNT, {"mailboxes": [*mailboxes], **day})
    return Counter(dict(rows.all()))
