"""Rows of a test's database: stored for a test, or read after it."""

from datetime import datetime
from email import message_from_bytes, policy
from typing import Any

from sqlmodel import Session, select, update

from site_app.provider.api.mails import compose
from site_app.provider.http.call import ApiContext
from site_app.provider.store import Store
from site_app.provider.store.columns import Row
from site_app.provider.store.tables import Attachment, AuditEntry, Outbox, OutboxStatus
from tests.support.clock import Clock
from tests.support.outbox import a_row


async def rows_in(store: Store, table: type[Row]) -> list[Any]:
    """Returns the rows in the order in which they were stored: PostgreSQL returns a changed row last."""
    ordered = select(table).order_by(table.id) if hasattr(table, "id") else select(table)  # pyright: ignore
    return await store.read(lambda session: list(session.exec(ordered)))


async def add_rows(store: Store, *rows: Row) -> None:
    await store.write(lambda session: session.add_all(rows))


def mark_mails_sent(session: Session) -> None:
    """Marks every row of the outbox as delivered; unlike the courier's rows, they keep their payload."""
    session.connection().execute(update(Outbox).values(status=OutboxStatus.SENT))


def mail_text(row: Outbox, context: ApiContext) -> str:
    """Returns the words of a mail in the outbox, without its line breaks."""
    body = message_from_bytes(compose(row, context.settings), policy=policy.default).get_body(("plain",))
    assert body
    return " ".join(body.get_content().split())


async def logged_actions(context: ApiContext) -> list[tuple[str, str, str]]:
    """Returns the log without sign-ins: person, action and reference."""
    return [
        (row.person, row.action, row.reference) for row in await rows_in(context.store, AuditEntry) if row.action != "sign in"
    ]


def attached(to: str, name: str = "brief.pdf") -> Attachment:
    return Attachment(
        id="a", claimed_by=to, stored_name="ab12", original_name=name, kind="txt", size=1, sha256="", created_at=Clock().now
    )


def abandoned_mail(reference: str, next_attempt_at: datetime) -> Outbox:
    """Returns an abandoned mail."""
    row = a_row()
    row.reference, row.status, row.last_error, row.next_attempt_at = reference, "dead", "550", next_attempt_at
    return row
