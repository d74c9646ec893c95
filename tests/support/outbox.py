"""Rows of the outbox to deliver, and the results of deliveries."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from email.message import EmailMessage

from site_app.core.settings import Settings
from site_app.provider.outbox import rows as outbox
from site_app.provider.outbox.courier import Courier, Deliver
from site_app.provider.outbox.mail import read_mail
from site_app.provider.outbox.transports import SmtpTransport
from site_app.provider.store import Store
from site_app.provider.store.tables import Outbox
from tests.support.clock import Clock

NOW = Clock().now


def a_row(number: int = 1, kind: str = "mail") -> Outbox:
    return Outbox(
        kind=kind,
        message_id=f"<Q-{number}.answer.0@example.com>",
        reference=f"Q-{number}",
        template="answer",
        payload={"secret": "what they wrote"},
        recipient=f"visitor{number}@example.org",
        next_attempt_at=NOW,
        created_at=NOW,
    )


def a_mail(row: Outbox) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = "team@example.com", row.recipient, row.message_id
    mail.set_content("Hello.")
    return mail.as_bytes()


def smtp(port: int, seconds: float = 5.0, security: str = "none") -> SmtpTransport:
    options = {"smtp_host": "127.0.0.1", "smtp_port": port, "smtp_security": security}
    return SmtpTransport(replace(Settings(), smtp_timeout=timedelta(seconds=seconds), **options))


class MemoryTransport:
    """Collects the mails in a list."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []

    async def send(self, mail: bytes) -> None:
        self.mails.append(read_mail(mail))


def deliver_by(transport: SmtpTransport | MemoryTransport) -> Deliver:
    async def post(row: Outbox) -> None:
        await transport.send(a_mail(row))

    return post


def courier(store: Store, clock: Clock, way: Deliver, *, give_up: timedelta = timedelta(hours=48)) -> Courier:
    return Courier(store, {"mail": way}, give_up=give_up, clock=clock)


async def deliver_due(worker: Courier, store: Store, clock: Callable[[], datetime] = lambda: NOW) -> None:
    """Runs the courier until nothing is due."""
    running = asyncio.create_task(worker.deliver_forever())
    while (due := await store.read(outbox.next_due)) and due <= clock():  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.02)  # rows leased just now have begun
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
